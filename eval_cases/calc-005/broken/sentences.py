import torch


def sentences(n, length, n_words, n_tags, seed):
    g = torch.Generator().manual_seed(seed)
    stay = 0.6 * torch.eye(n_tags) + 0.4 / n_tags
    tag = torch.randint(0, n_tags, (n,), generator=g)
    tags, words = [], []
    for _ in range(length):
        own = torch.randint(0, n_words // n_tags, (n,), generator=g) * n_tags + tag
        other = torch.randint(0, n_words, (n,), generator=g)
        words.append(torch.where(torch.rand(n, generator=g) < 0.8, own, other))
        tags.append(tag)
        tag = torch.multinomial(stay[tag], 1, generator=g).squeeze(1)
    return torch.stack(words, 1), torch.stack(tags, 1)
