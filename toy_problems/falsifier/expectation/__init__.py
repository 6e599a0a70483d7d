"""Bounds that hold on average: functions of one variable in d dimensions, where the noise of the private methods
shows its dimension; decided by confidence sequences."""
