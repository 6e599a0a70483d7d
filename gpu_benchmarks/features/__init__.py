"""The features that DP-NormFedAvg's Table 2(b) and (c) are run on: 512 numbers an image from a ResNet-18 trained on
ImageNet. The weights are the user's to bring; nothing is ever unpickled.

    extracted  what features are, and what they were made from
    resnet18   the network up to its last layer, from weights in a safetensors file
    extract    images -> features, batch by batch; goes on after an interruption
    store      features as one safetensors file

`extracted` and `store` do not need torch.
"""
