import torch
from torch import nn
from torch.nn import functional as F
from sklearn.datasets import load_digits


class VAE(nn.Module):
    def __init__(self, z=6):
        super().__init__()
        self.fc1 = nn.Linear(64, 80)
        self.fc21 = nn.Linear(80, z)
        self.fc22 = nn.Linear(80, z)
        self.fc3 = nn.Linear(z, 80)
        self.fc4 = nn.Linear(80, 64)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        h3 = F.relu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 64))
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x.view(-1, 64), reduction='sum')
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + KLD


torch.manual_seed(1)
data = torch.tensor(load_digits().images / 16.0, dtype=torch.float32)
train_set, test_set = data[:1500], data[1500:]
model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)


def train(epoch):
    model.train()
    train_loss = 0
    for batch_idx, i in enumerate(torch.randperm(1500).split(64)):
        data = train_set[i]
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data)
        loss = loss_function(recon_batch, data, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
    print('====> Epoch: {} Average loss: {:.4f}'.format(epoch, train_loss / 1500))


def test(epoch):
    model.eval()
    with torch.no_grad():
        r, mu, lv = model(test_set)
        print('====> Test set loss: {:.4f}'.format(loss_function(r, test_set, mu, lv).item() / len(test_set)))


for epoch in range(1, 16):
    train(epoch)
    test(epoch)
