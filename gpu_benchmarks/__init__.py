"""Data sets, ResNet-20, federated training, sweeps and throughput.

    readings, training_methods, config
                          what the papers leave open; what is trained; one run as data, named by its hash
    method                from a config to a method of `methods`, and how large its noise is
    resnet, layers        the network as a function of one flat vector; layers for a batch of several clients
    gradients, passes, batches, federation
                          all clients' gradients, in one pass or one by one; how a pass splits into iterations;
                          who sees which image when
    fused, kernels, launches
                          the same gradients by hand, on a GPU: few passes over memory, in Triton
    engine, cuda_graphs, device, device_randomness
                          one run in place, captured as CUDA graphs where there is a GPU
    training, checkpoint, checkpoint_file, seal
                          rounds, divergence, a record at the end; going on after an interruption
    sweep, plans, cost, cluster, unfinished
                          a queue that survives kill -9; named queues; what they cost; several machines; how far runs came
    records, provenance, machine, sittings
                          one JSON a run; where it came from, and the parts of one that was interrupted
    parsing, errors       JSON and TOML read with suspicion; what is the user's to mend
    reported, protocols, accuracies, comparison, rows, beside_ours, choices
                          what the papers print; ours beside it, with verdicts by a rule fixed beforehand
    orders, sentences     which of two is better; what the papers say of their runs in words
    ablations, grids, private_runs, paces, student
                          what one reading changes; printed grids; noise and privacy; how fast runs went; Student's interval
    shapes                whether our runs rank the cells of a printed grid as the paper does
    selfcheck, tuning, side_by_side, throughput, roofline
                          a device is checked and measured
    stages, measured_once and then used: what `queue` runs on a rented GPU in which order, what is measured once for all calls
    data, features        data sets; what a ResNet-18 makes of them
    linear                DP-NormFedAvg's logistic regression on either
    cli, commands         the command line, a module a subcommand

`reported`, `records`, `config`, `passes`, `comparison` and the `table` command do not need torch.
"""
