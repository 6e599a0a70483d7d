"""The one kind of error that is the user's to mend."""


class InputError(Exception):
    """A config, record, checkpoint, data file or argument that cannot be used. The message names it and the
    cure; the command line prints it as one line and exits with status 2. `InputError(*messages)` tells of several.
    """

    def __str__(self) -> str:
        return "\n".join(self.args)
