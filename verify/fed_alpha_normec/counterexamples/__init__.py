"""The runs behind the witnesses. `exact` runs the method in fractions, as Algorithm 1 prints it."""
