import torch

from chain import Chain
from sentences import sentences

WORDS, TAGS, LENGTH = 60, 4, 32

torch.manual_seed(9)
words, tags = sentences(640, LENGTH, WORDS, TAGS, seed=1)
test_words, test_tags = sentences(100, LENGTH, WORDS, TAGS, seed=2)
model = Chain(WORDS, TAGS, 24)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(6):
    for part in torch.randperm(len(words)).split(40):
        loss = model(words[part], tags[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss per token {loss.item():.4f}")

right = (model.decode(test_words) == test_tags).float().mean()
print(f"test loss {model(test_words, test_tags).item():.4f}, tags right {right:.3f}")
