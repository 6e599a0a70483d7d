"""The algorithms of all three papers, once, as pure functions of arrays.

Every method of the papers, and those they compare with, is a point in one small algebra:

    operator × error feedback × server rule × noise × participation × local work

`operators`, `feedback`, `server`, `noise`, `participation` and `local_work` hold one axis each; `algebra`
puts them together into a round; `published` names the points that the papers name; `randomness` says where
numbers come from.

Shapes. An iterate is (..., d), what the clients hold or send is (..., clients, d). The leading axes `...` are
runs: instances × parameters × seeds, all advanced by one array program. A parameter of a method is a number,
or an array whose axes line up with the *leading* axes of the runs (one value for each run, shape (...)).

Libraries. numpy in float64 and torch go through the same code by way of the array API standard. No function
here looks at an array's values to decide what to do, so a round can be captured in a CUDA graph.
"""

from methods.algebra import Method, Round, State, advance, initialise, step
from methods.published import PUBLISHED, by_name

__all__ = ["PUBLISHED", "Method", "Round", "State", "advance", "by_name", "initialise", "step"]
