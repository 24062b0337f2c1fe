"""Why there is no answer."""


class Error(Exception):
    """What Headrace could not answer, and why.

    code     "E0203", which `headrace explain E0203` explains; empty where there is none
    cause    what is wrong
    place    "mine.json:4:5"; empty where no file is to blame
    pointer  JSON pointer into the scenario; may be empty
    fix      what to write instead; may be empty
    str()    every complaint in full, as the command line prints them
    """

    def __init__(self, text: str, code: str = "", cause: str = "", place: str = "", pointer: str = "", fix: str = ""):
        super().__init__(text, code, cause, place, pointer, fix)
        self.code = code
        self.cause = cause
        self.place = place
        self.pointer = pointer
        self.fix = fix

    def __str__(self) -> str:
        return str(self.args[0]).rstrip("\n")


class InputError(Error, ValueError):
    """The question is wrong: a file, a value, an option."""


class InternalError(Error, RuntimeError):
    """A mistake in Headrace, or no memory."""
