"""Data sets, ResNet-20, federated training, sweeps and throughput."""
