"""Data sets, ResNet-20, federated training, sweeps and throughput.

    readings, config      what the papers leave open; one run as data, named by its hash
    method                from a config to a method of `methods`, and how large its noise is
    resnet, layers        the network as a function of one flat vector; layers for a batch of several clients
    gradients, passes, batches
                          all clients' gradients, in one pass or one by one; how a pass splits into iterations;
                          who sees which image when
    engine, device        one run in place, captured as CUDA graphs where there is a GPU
    training, checkpoint, sealed
                          rounds, divergence, a record at the end; going on after an interruption
    sweep, plans, cost    a queue that survives kill -9; named queues; what they cost
    records, provenance, sittings
                          one JSON a run; where it came from, and the parts of one that was interrupted
    parsing, errors       JSON read with suspicion; what is the user's to mend
    reported, comparison  what the papers print; ours beside it, with verdicts by a rule fixed beforehand
    noisy                 how much noise the private runs bore, and how much privacy that is
    selfcheck, tuning, side_by_side, throughput, floor
                          a device is checked and measured
    stages, kept          and then used: what `queue` runs on a rented GPU in which order, what is kept between calls
    data, features        data sets; what a ResNet-18 makes of them
    linear                DP-NormFedAvg's logistic regression on either

`reported`, `records`, `config`, `passes`, `comparison` and the `table` command do not need torch.
"""
