import argparse
import copy
import random
from collections import deque

import numpy as np
import torch
import torch.nn.functional as F

ap = argparse.ArgumentParser()
ap.add_argument("--steps", type=int, default=1500)
ap.add_argument("--gamma", type=float, default=0.95)
ap.add_argument("--lr", type=float, default=1e-3)
ap.add_argument("--sync", type=int, default=50)
args = ap.parse_args()

random.seed(0); np.random.seed(0); torch.manual_seed(0)
SIZE, GOAL = 5, (4, 4)
MOVES = [(0, 1), (1, 0), (0, -1), (-1, 0)]


def enc(p):
    return np.array([p[0] / 4, p[1] / 4, p[0] == 4, p[1] == 4], dtype=np.float32)


def step(p, a):
    q = (min(max(p[0] + MOVES[a][0], 0), 4), min(max(p[1] + MOVES[a][1], 0), 4))
    return q, (1.0 if q == GOAL else -0.05), q == GOAL


net = torch.nn.Sequential(torch.nn.Linear(4, 48), torch.nn.ReLU(), torch.nn.Linear(48, 48), torch.nn.ReLU(), torch.nn.Linear(48, 4))
target = copy.deepcopy(net).requires_grad_(False).eval()   # never in the optimizer, on purpose
opt = torch.optim.Adam(net.parameters(), lr=args.lr)
buf = deque(maxlen=3000)


def greedy_len():
    p, n = (0, 0), 0
    while p != GOAL and n < 30:
        with torch.no_grad():
            a = net(torch.from_numpy(enc(p))).argmax().item()
        p, _, _ = step(p, a)
        n += 1
    return n


print("greedy path before:", greedy_len())
p, t_ep = (0, 0), 0
for t in range(args.steps):
    eps = max(0.1, 1 - t / 700)
    if random.random() < eps:
        a = random.randrange(4)
    else:
        with torch.no_grad():
            a = int(net(torch.from_numpy(enc(p))).argmax())
    q, r, done = step(p, a)
    buf.append((enc(p), a, r, enc(q), float(done)))
    t_ep += 1
    p = q
    if done or t_ep > 40:
        p, t_ep = (random.randrange(5), random.randrange(4)), 0
    if len(buf) < 64:
        continue
    s, a, r, s2, d = map(np.array, zip(*random.sample(buf, 32)))
    s, s2 = torch.from_numpy(s), torch.from_numpy(s2)
    a = torch.from_numpy(a).long()[:, None]
    r, d = torch.from_numpy(r).float()[:, None], torch.from_numpy(d).float()[:, None]
    with torch.no_grad():
        y = r + args.gamma * (1 - d) * target(s2).max(1, keepdim=True).values
    loss = F.smooth_l1_loss(net(s).gather(1, a), y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_value_(net.parameters(), 1.0)
    opt.step()
    if t % args.sync == 0:
        target.load_state_dict(net.state_dict())
    if t % 250 == 0:
        print(t, "loss", round(loss.item(), 4), "eps", round(eps, 2), "greedy", greedy_len())
print("greedy path after (best is 8):", greedy_len())
