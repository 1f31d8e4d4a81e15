import torch
from torch import nn


class TwoTower(nn.Module):
    def __init__(self, n_users, n_items, dim=8):
        super().__init__()
        self.users = nn.Embedding(n_users, dim, sparse=True)
        self.items = nn.Embedding(n_items, dim, sparse=True)
        nn.init.normal_(self.users.weight, std=0.1)
        nn.init.normal_(self.items.weight, std=0.1)
        self.user_bias = nn.Parameter(torch.zeros(n_users))
        self.item_bias = nn.Parameter(torch.zeros(n_items))
        self.scale = nn.Parameter(torch.ones(dim))

    def forward(self, u, i):
        inner = (self.users(u) * self.scale * self.items(i)).sum(-1)
        return inner + self.user_bias[u] + self.item_bias[i]

    def sparse_parameters(self):
        return [self.users.weight, self.items.weight]

    def dense_parameters(self):
        return [self.user_bias, self.item_bias, self.scale]
