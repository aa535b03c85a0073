"""Words of a command line in, what the hook was asked for out. Imports nothing: every prompt waits for it."""

USAGE = (
    "recollect hook [--store STORE] [--vectors URL] [--model NAME] [--space NAME]… [--project NAME] [--force]"
    " [--threshold 0..1] [--budget TOKENS] [--deadline-ms MS] [--no-warm] [--idle SECONDS]"
)
NUMBERS = {"--threshold": float, "--budget": int, "--deadline-ms": float, "--idle": float}


class Wishes:
    """Plain values that travel as JSON. `refused` says what could not be understood: the hook goes on
    without it, for an agent must never be stopped by its memory."""

    def __init__(self) -> None:
        self.store: str | None = None
        self.vectors: str | None = None
        self.model = "auto"
        self.spaces: list[str] = []
        self.project: str | None = None
        self.threshold = 0.85
        self.budget = 1_000
        self.deadline_ms = 240.0  # R1.8
        self.idle = 900.0  # seconds after which the warm process ends
        self.force = False
        self.warm = True
        self.refused: list[str] = []


def wishes_of(words: list[str]) -> Wishes:
    wishes = Wishes()
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in ("--force", "--no-warm") and not equals:
            wishes.force |= name == "--force"
            wishes.warm &= name != "--no-warm"
        elif name in ("--store", "--vectors", "--model", "--space", "--project", *NUMBERS):
            _take(wishes, name, value if equals else next(rest, ""))
        else:
            wishes.refused.append(f"no option {word!r}")
    return wishes


def _take(wishes: Wishes, name: str, value: str) -> None:
    if not value:
        wishes.refused.append(f"{name} needs a value")
    elif name in NUMBERS:
        _take_number(wishes, name, value)
    elif name == "--space":
        wishes.spaces.append(value)
    else:
        setattr(wishes, name[2:], value)


def _take_number(wishes: Wishes, name: str, value: str) -> None:
    try:
        number = NUMBERS[name](value)
    except ValueError:
        wishes.refused.append(f"{name} {value!r} is no number")
        return
    least, most = {"--threshold": (-1, 1), "--budget": (50, 100_000)}.get(name, (1, 60_000))
    if least <= number <= most:
        setattr(wishes, name[2:].replace("-", "_"), number)
    else:
        wishes.refused.append(f"{name} {value} is not within {least} and {most}")
