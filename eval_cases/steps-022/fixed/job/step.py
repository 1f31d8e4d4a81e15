import torch


def make_step(net, lr):
    opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    ce = torch.nn.CrossEntropyLoss()

    def step(x, y):
        opt.zero_grad()
        with torch.autocast(device_type="cpu", dtype=torch.float16):
            logits = net(x)
        loss = ce(logits.float(), y)
        scaled = scaler.scale(loss)
        scaled.backward()
        scaler.step(opt)
        scaler.update()
        return loss.item()

    return step
