"""ResNet-20 and α-NormEC once more, written with torch.nn and plain loops: the oracle of the engine's tests.

Nothing here is imported from the package, except that weights are copied in by the order of their names.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Block(nn.Module):
    def __init__(self, channels: int, out: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(out)
        self.conv2 = nn.Conv2d(out, out, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(out)
        self.stride, self.extra = stride, out - channels

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm2(self.conv2(torch.relu(self.norm1(self.conv1(x)))))
        if self.extra:
            zeros = torch.zeros(x.shape[0], self.extra // 2, x.shape[2] // 2, x.shape[3] // 2, dtype=x.dtype)
            x = torch.cat([zeros, x[:, :, ::2, ::2], zeros], dim=1)
        return torch.relu(y + x)


class ResNet(nn.Module):
    def __init__(self, blocks: int = 3, width: int = 16) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, 1, 1, bias=False)
        self.norm = nn.BatchNorm2d(width)
        plan, channels = [], width
        for stage in range(3):
            for block in range(blocks):
                out = width * 2**stage
                plan.append(Block(channels, out, 2 if stage and not block else 1))
                channels = out
        self.blocks = nn.Sequential(*plan)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.linear = nn.Linear(4 * width, 10)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(self.pool(self.blocks(torch.relu(self.norm(self.conv(x))))).flatten(1))

    def load(self, x: Tensor) -> ResNet:
        """Copy the flat vector x into the parameters, which torch.nn lists in the order of definition."""
        with torch.no_grad():
            nn.utils.vector_to_parameters(x.clone(), self.parameters())
        return self


def gradient(model: ResNet, images: Tensor, labels: Tensor) -> tuple[float, Tensor]:
    model.zero_grad()
    loss = nn.CrossEntropyLoss()(model(images), labels)
    loss.backward()
    return loss.item(), torch.cat([p.grad.flatten() for p in model.parameters()])  # type: ignore[union-attr]


def running(model: ResNet) -> Tensor:
    """Running means and variances of all layers, (2, channels)."""
    norms = [module for module in model.modules() if isinstance(module, nn.BatchNorm2d)]
    return torch.stack(
        [torch.cat([n.running_mean for n in norms]), torch.cat([n.running_var for n in norms])]  # type: ignore[misc]
    )
