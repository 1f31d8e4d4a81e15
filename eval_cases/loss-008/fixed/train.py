import torch
from torch import nn

from tagger.data import N_TAGS, N_WORDS, PAD, sentences
from tagger.layers import BiTagger


def flat(out, tags):
    return out.view(-1, out.size(-1)), tags.view(-1)


def evaluate(net, loss_fn, ids, tags):
    net.eval()
    with torch.no_grad():
        out = net(ids)
        loss = loss_fn(*flat(out, tags)).item()
    real = tags != PAD
    return loss, (out.argmax(-1) == tags)[real].float().mean().item()


def main(epochs=10, batch=25, lr=0.5):
    torch.manual_seed(77)
    g = torch.Generator().manual_seed(77)
    ids, tags = sentences(800, 14, g)
    dev = sentences(200, 14, g)
    net = BiTagger(N_WORDS, N_TAGS)
    loss_fn = nn.NLLLoss(ignore_index=PAD)
    opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    for epoch in range(1, epochs + 1):
        net.train()
        for rows in torch.randperm(len(ids), generator=g).split(batch):
            loss = loss_fn(*flat(net(ids[rows]), tags[rows]))
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            opt.step()
        if epoch % 2 == 0:
            print("epoch {:2d} | dev loss {:.4f} | dev acc {:.3f}".format(epoch, *evaluate(net, loss_fn, *dev)))
    print("dev loss {:.4f}, tag accuracy {:.3f}".format(*evaluate(net, loss_fn, *dev)))


if __name__ == "__main__":
    main()
