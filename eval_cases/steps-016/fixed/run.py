from corpus import reviews
from net import Sentiment
import torch

torch.manual_seed(23)
ids, mood = reviews(1000)
ids_dev, mood_dev = reviews(300)
model = Sentiment(vocab=60, dim=16)
opt = torch.optim.AdamW(model.parameters(), lr=0.01)
for epoch in range(1, 13):
    right = 0
    for pick in torch.randperm(len(ids)).split(50):
        opt.zero_grad()
        score = model(ids[pick])
        torch.nn.functional.binary_cross_entropy_with_logits(score, mood[pick]).backward()
        opt.step()
        right += ((score > 0).float() == mood[pick]).sum().item()
    if epoch % 4 == 0:
        print(f"epoch {epoch}: training accuracy {right / len(ids):.3f}")
with torch.no_grad():
    print(f"dev accuracy {((model(ids_dev) > 0).float() == mood_dev).float().mean().item():.3f}")
