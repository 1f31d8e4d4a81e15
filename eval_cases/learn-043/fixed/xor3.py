import torch

torch.manual_seed(2)
corner = torch.randint(0, 2, (800, 2)).float()
x = corner + 0.15 * torch.randn(800, 2)
y = (corner[:, 0] != corner[:, 1]).float()[:, None]
net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for epoch in range(1, 21):
    for rows in torch.randperm(600).split(30):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 4 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {((net(x[600:]) > 0).float() == y[600:]).float().mean().item():.3f}")
