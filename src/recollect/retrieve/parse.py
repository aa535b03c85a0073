"""What a person typed in, a tree out. Pure. No text whatever is an error of syntax here.

    word  "a phrase"  prefix*  title:word  tag:word  path:word  text:word
    a AND b   a OR b   NOT c   -c   ( … )

Operators are written in capitals. What cannot be meant as an operator (a dangling AND, an unknown
field, a bracket that never closes) is read as well as it can be, and a remark says how.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from recollect.model.errors import EmptyQuery
from recollect.model.tree import FIELDS, And, Bag, But, In, Node, Or, Phrase, Prefix, Word
from recollect.retrieve.words import normalise, tokens

Syntax = Literal["language", "plain"]

MAX_WORDS: Final = 256
"""A prompt can be a pasted file; its first words say what it is about."""
MAX_DEPTH: Final = 50

_LEXEME: Final = re.compile(
    r"""(?P<space>\s+)
      | (?P<open>\() | (?P<close>\))
      | (?P<minus>-(?=[^\s)-]))
      | (?P<field>[a-zA-Z]+):(?=[^\s/:])
      | "(?P<phrase>[^"]*)(?P<quote>"|$)
      | (?P<word>[^\s()"]+)""",
    re.VERBOSE,
)
_OPERATORS: Final = frozenset({"AND", "OR", "NOT"})


@dataclass(frozen=True, slots=True)
class Parsed:
    """A query read: what to find, what must not be in it, its plain wording for a model to embed."""

    tree: Node
    unwanted: Node | None
    wording: str
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Lexeme:
    kind: str
    text: str


def parse(text: str, syntax: Syntax = "language") -> Parsed:
    """`plain` reads every word as a word, as befits prose that was never meant as a query."""
    line = normalise(text)
    if not line:
        raise EmptyQuery(text, "is empty; type some words")
    if syntax == "language":
        reader = _Reader(line)
        wanted, unwanted = reader.read()
        if wanted is not None:
            tree = wanted if unwanted is None else But(wanted, unwanted)
            remarks = tuple(dict.fromkeys(reader.remarks))  # said once, however often it happened
            return Parsed(tree, _never(tree), reader.wording or line, remarks)
        if unwanted is not None:
            raise EmptyQuery(text, "only says what to leave out; add a word to find")
    return _plain(text, line)


def _plain(text: str, line: str) -> Parsed:
    words = list(dict.fromkeys(tokens(line)))
    if not words:
        raise EmptyQuery(text, "holds no letter or digit to look for")
    remarks = _cap_remark(len(words))
    return Parsed(Bag(tuple(Word(word) for word in words[:MAX_WORDS])), None, line, remarks)


def _cap_remark(count: int) -> tuple[str, ...]:
    if count <= MAX_WORDS:
        return ()
    return (f"only the first {MAX_WORDS} of {count} words are looked for",)


@dataclass(slots=True)
class _Clause:
    """What stands side by side: things wanted, and things to leave out."""

    wanted: list[Node] = field(default_factory=list)
    unwanted: list[Node] = field(default_factory=list)


class _Reader:
    """Recursive descent over the lexemes; keeps what it noticed in `remarks`."""

    def __init__(self, line: str) -> None:
        self.remarks: list[str] = []
        self._words = 0
        self._pieces: list[str] = []
        self._muted = 0
        self._lexemes = self._lex(line)
        self._at = 0

    @property
    def wording(self) -> str:
        return " ".join(self._pieces)

    def read(self) -> tuple[Node | None, Node | None]:
        clause = self._either()
        while self._at < len(self._lexemes):  # a bracket closed that was never opened
            self._at += 1
            rest = self._either()
            clause = _Clause(clause.wanted + rest.wanted, clause.unwanted + rest.unwanted)
        self.remarks.extend(_cap_remark(self._words))
        return _bag(clause.wanted), _any_of(clause.unwanted)

    def _lex(self, line: str) -> list[_Lexeme]:
        found: list[_Lexeme] = []
        for match in _LEXEME.finditer(line):
            kind = str(match.lastgroup)
            if kind == "space":
                continue
            if kind == "quote":
                if not match["quote"]:
                    self.remarks.append(
                        "a quotation mark was never closed; it is closed at the end"
                    )
                found.append(_Lexeme("phrase", match["phrase"]))
            elif kind == "field" and match["field"].lower() not in FIELDS:
                known = ", ".join(FIELDS)
                self.remarks.append(f"{match['field']!r} is read as a word; fields are {known}")
                found.append(_Lexeme("word", match["field"]))
            elif kind == "word" and match["word"] in _OPERATORS:
                found.append(_Lexeme(match["word"], match["word"]))
            else:
                found.append(_Lexeme(kind, match[kind]))
        return self._flattened(found)

    def _flattened(self, lexemes: list[_Lexeme]) -> list[_Lexeme]:
        depth = deepest = 0
        for lexeme in lexemes:
            depth += (lexeme.kind == "open") - (lexeme.kind == "close" and depth > 0)
            deepest = max(deepest, depth)
        if deepest <= MAX_DEPTH:
            return lexemes
        self.remarks.append(f"brackets nested deeper than {MAX_DEPTH} are ignored")
        return [lexeme for lexeme in lexemes if lexeme.kind not in ("open", "close")]

    def _peek(self) -> str:
        return self._lexemes[self._at].kind if self._at < len(self._lexemes) else "end"

    def _either(self) -> _Clause:
        """a OR b OR …"""
        clauses = [self._both()]
        while self._peek() == "OR":
            self._at += 1
            clauses.append(self._both())
        if len(clauses) == 1:
            return clauses[0]
        options = [node for clause in clauses if (node := _whole(clause)) is not None]
        if any(clause.unwanted and not clause.wanted for clause in clauses):
            self.remarks.append("a NOT beside OR has nothing to take away from; it is ignored")
        option = _any_of(options)
        return _Clause([] if option is None else [option])

    def _both(self) -> _Clause:
        """a AND b AND …"""
        clauses = [self._side_by_side()]
        while self._peek() == "AND":
            self._at += 1
            clauses.append(self._side_by_side())
        unwanted = [node for clause in clauses for node in clause.unwanted]
        needed = [node for clause in clauses if (node := _bag(clause.wanted)) is not None]
        if len(needed) <= 1:
            return _Clause(needed, unwanted) if len(clauses) > 1 else clauses[0]
        return _Clause([And(tuple(needed))], unwanted)

    def _side_by_side(self) -> _Clause:
        clause = _Clause()
        while self._peek() not in ("OR", "AND", "close", "end"):
            if self._peek() in ("NOT", "minus"):
                self._at += 1
                self._take_unwanted(clause)
            else:
                inner = self._term()
                clause.wanted.extend(inner.wanted)
                clause.unwanted.extend(inner.unwanted)
        return clause

    def _take_unwanted(self, clause: _Clause) -> None:
        is_unwanted = True
        while self._peek() in ("NOT", "minus"):  # twice not is not not
            self._at += 1
            is_unwanted = not is_unwanted
        if self._peek() in ("OR", "AND", "close", "end"):
            return
        self._muted += 1
        inner = self._term()
        self._muted -= 1
        node = _bag(inner.wanted)
        if is_unwanted and node is not None:
            clause.unwanted.append(node)
        else:
            clause.wanted.extend(inner.unwanted if is_unwanted else inner.wanted)

    def _term(self) -> _Clause:
        lexeme = self._lexemes[self._at]
        self._at += 1
        if lexeme.kind == "open":
            return self._bracketed()
        if lexeme.kind == "field":
            return self._in_field(lexeme.text.lower())
        if lexeme.kind == "phrase":
            return _Clause(self._phrase(lexeme.text))
        return _Clause(self._word(lexeme.text))

    def _bracketed(self) -> _Clause:
        inner = self._either()
        if self._peek() == "close":
            self._at += 1
        else:
            self.remarks.append("a bracket was never closed; it is closed at the end")
        if not inner.unwanted and all(isinstance(one, Word) for one in inner.wanted):
            return inner  # an aside: its words stand beside the others, and count once with them
        node = _whole(inner)
        return inner if node is None else _Clause([node])

    def _in_field(self, name: str) -> _Clause:
        while self._peek() == "field":  # of fields within fields the innermost counts
            name = self._lexemes[self._at].text.lower()
            self._at += 1
        if self._peek() in ("end", "close", "AND", "OR", "NOT", "minus"):
            return _Clause(self._word(name))
        inner = self._term()
        wanted = _bag(inner.wanted)
        return _Clause(
            [] if wanted is None else [In(name, wanted)],
            [In(name, unwanted) for unwanted in inner.unwanted],
        )

    def _phrase(self, text: str) -> list[Node]:
        words = self._counted(tokens(text))
        self._say(text)
        return [Phrase(tuple(words))] if words else []

    def _word(self, text: str) -> list[Node]:
        words = self._counted(tokens(text))
        self._say(text.rstrip("*"))
        nodes: list[Node] = [Word(word) for word in words]
        if text.endswith("*") and nodes:
            nodes[-1] = Prefix(words[-1])
        return nodes

    def _counted(self, words: list[str]) -> list[str]:
        room = max(0, MAX_WORDS - self._words)
        self._words += len(words)
        return words[:room]

    def _say(self, text: str) -> None:
        if not self._muted and text.strip():
            self._pieces.append(text.strip())


def _bag(nodes: Iterable[Node]) -> Node | None:
    different = tuple(dict.fromkeys(nodes))
    if not different:
        return None
    return different[0] if len(different) == 1 else Bag(different)


def _any_of(nodes: Iterable[Node]) -> Node | None:
    different = tuple(dict.fromkeys(nodes))
    if not different:
        return None
    return different[0] if len(different) == 1 else Or(different)


def _never(tree: Node) -> Node | None:
    """What no note that answers this tree may hold, wherever in its brackets that was said."""
    match tree:
        case But(wanted, unwanted):
            return _any_of(node for node in (_never(wanted), unwanted) if node is not None)
        case And(nodes):
            return _any_of(node for inner in nodes if (node := _never(inner)) is not None)
        case In(name, inner):
            node = _never(inner)
            return None if node is None else In(name, node)
        case _:
            return None


def _whole(clause: _Clause) -> Node | None:
    """A clause as one node; None where it wants nothing."""
    wanted, unwanted = _bag(clause.wanted), _any_of(clause.unwanted)
    if wanted is None or unwanted is None:
        return wanted
    return But(wanted, unwanted)
