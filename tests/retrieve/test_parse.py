"""What a person typed, and the tree it becomes."""

import pytest

from recollect.model.tree import And, Bag, But, In, Node, Or, Phrase, Prefix, Word
from recollect.retrieve.aliases import expand_aliases
from recollect.retrieve.parse import MAX_WORDS, parse
from recollect.retrieve.resolve import loosened, prefixes_of, resolve, words_of

A, B, C, D = (Word(letter) for letter in "abcd")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a", A),
        ("a b", Bag((A, B))),
        ("a a", A),
        ("A B", Bag((A, B))),
        ('"a b"', Phrase(("a", "b"))),
        ('"a"', Phrase(("a",))),
        ("a*", Prefix("a")),
        ("a AND b", And((A, B))),
        ("a OR b", Or((A, B))),
        ("a and b", Bag((A, Word("and"), B))),
        ("a AND b OR c", Or((And((A, B)), C))),
        ("a OR b AND c", Or((A, And((B, C))))),
        ("(a OR b) AND c", And((Or((A, B)), C))),
        ("a b AND c d", And((Bag((A, B)), Bag((C, D))))),
        ("a b OR c d", Or((Bag((A, B)), Bag((C, D))))),
        ("a NOT b", But(A, B)),
        ("a -b", But(A, B)),
        ("-b a", But(A, B)),
        ("a AND b AND NOT c", But(And((A, B)), C)),
        ("a -b -c", But(A, Or((B, C)))),
        ("a -(b c)", But(A, Bag((B, C)))),
        ('a -"b c"', But(A, Phrase(("b", "c")))),
        ("a NOT NOT b", Bag((A, B))),
        ("a NOT NOT NOT b", But(A, B)),
        ("a NOT (NOT b)", Bag((A, B))),
        ("(a -b) OR c", Or((But(A, B), C))),
        ("(a -b) c", Bag((But(A, B), C))),
        ("a-b", Bag((A, B))),
        ("title:a", In("title", A)),
        ("TITLE:a", In("title", A)),
        ("tag:a path:b text:c", Bag((In("tag", A), In("path", B), In("text", C)))),
        ('title:"a b"', In("title", Phrase(("a", "b")))),
        ("title:(a OR b)", In("title", Or((A, B)))),
        ("a title:(-b)", But(A, In("title", B))),
        ("a -title:b", But(A, In("title", B))),
        ("title:tag:a", In("tag", A)),
        ("title: a", Bag((Word("title"), A))),
        ("foo:a", Bag((Word("foo"), A))),
        ("http://a", Bag((Word("http"), A))),
        ("((a))", A),
        ("a (b a c)", Bag((A, B, C))),
        ("a (b OR a)", Bag((A, Or((B, A))))),
        ('a (b "c d")', Bag((A, Bag((B, Phrase(("c", "d"))))))),
        ("(a", A),
        ("a)", A),
        ('"a b', Phrase(("a", "b"))),
        ("a AND", A),
        ("AND a", A),
        ("a OR", A),
        ("OR", Bag((Word("or"),))),
        ("NOT", Bag((Word("not"),))),
        ("a NOT", A),
        ("a OR NOT b", A),
    ],
)
def test_the_query_language(text: str, tree: Node) -> None:
    """R2.5"""
    assert parse(text).tree == tree


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("a", None),
        ("a -b", B),
        ("(a -b)", B),
        ("(a -b) AND c", B),
        ("(a -b) AND (c -d)", Or((B, D))),
        ("((a -b) -c)", Or((B, C))),
        ("(a -b) OR c", None),
        ("(a -b) c", None),
        ("title:(a -b)", In("title", B)),
    ],
)
def test_what_no_answer_may_hold(text: str, unwanted: Node | None) -> None:
    """R2.5: it is kept from every leg; where another option may hold it, it is not."""
    assert parse(text).unwanted == unwanted


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("(a", "bracket was never closed"),
        ('"a', "quotation mark was never closed"),
        ("foo:a", "'foo' is read as a word; fields are title, path, tag, text"),
        ("a OR NOT b", "NOT beside OR has nothing to take away from"),
        ("(" * 60 + "a" + ")" * 60, "nested deeper than 50"),
        (" ".join(f"w{n}" for n in range(300)), f"only the first {MAX_WORDS} of 300 words"),
    ],
)
def test_what_is_read_otherwise_than_written_is_remarked(text: str, remark: str) -> None:
    """R2.5"""
    [said] = parse(text).remarks
    assert remark in said


def test_nothing_is_remarked_where_all_is_plain() -> None:
    assert parse('a AND (b OR "c d") -e title:f').remarks == ()


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("red car", "red car"),
        ("red AND car", "red car"),
        ('title:red "fast car" bo*', "red fast car bo"),
        ("red -car", "red"),
        ("(red OR blue) NOT (car boat)", "red blue"),
        ("Où est-ce?", "Où est-ce?"),
    ],
)
def test_the_wording_is_what_a_model_may_read(text: str, wording: str) -> None:
    """R2.2"""
    assert parse(text).wording == wording


def test_plain_prose_holds_no_operators() -> None:
    """R1.1"""
    parsed = parse('a AND -b "c d" NOT title:a', "plain")
    words = ("a", "and", "b", "c", "d", "not", "title")
    assert parsed.tree == Bag(tuple(Word(word) for word in words))
    assert parsed.unwanted is None


@pytest.mark.parametrize(
    ("text", "any_of", "all_of"),
    [
        ("a b", Or((A, B)), And((A, B))),
        ("a", A, A),
        ('a "b c"', And((Phrase(("b", "c")), A)), And((A, Phrase(("b", "c"))))),
        ("a b title:c", And((In("title", C), Or((A, B)))), And((A, B, In("title", C)))),
        ("a -(b c)", But(A, And((B, C))), But(A, And((B, C)))),
        ("title:(a b)", In("title", Or((A, B))), In("title", And((A, B)))),
    ],
)
def test_a_recipe_decides_what_side_by_side_means(text: str, any_of: Node, all_of: Node) -> None:
    """R2.5, R5.4"""
    tree = parse(text).tree
    assert resolve(tree, "any") == any_of
    assert resolve(tree, "all") == all_of


@pytest.mark.parametrize(
    ("text", "looser"),
    [
        ('a "b c"', Bag((A, B, C))),
        ('a "b a" -d', But(Bag((A, B)), D)),
        ('a -"b c"', But(A, Phrase(("b", "c")))),
        ('"a b"', Phrase(("a", "b"))),
        ('a AND "b c"', And((A, Phrase(("b", "c"))))),
        ("a title:b", Bag((A, In("title", B)))),
    ],
)
def test_a_phrase_that_nobody_says_is_loosened_beside_other_words(text: str, looser: Node) -> None:
    assert loosened(parse(text).tree) == looser


def test_the_words_to_show_leave_the_unwanted_out() -> None:
    tree = parse('a "b c" -d title:e f*').tree
    assert words_of(tree) == ("a", "b", "c", "e")
    assert prefixes_of(tree) == ("f",)


K8S = {"k8s": ("kubernetes",), "machine learning": ("ml", "deep nets")}


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("k8s", Or((Word("k8s"), Phrase(("kubernetes",))))),
        ("K8S", Or((Word("k8s"), Phrase(("kubernetes",))))),
        ("a k8s", Bag((A, Or((Word("k8s"), Phrase(("kubernetes",))))))),
        (
            "machine learning",
            Bag(
                (
                    Or(
                        (
                            Bag((Word("machine"), Word("learning"))),
                            Phrase(("ml",)),
                            Phrase(("deep", "nets")),
                        )
                    ),
                )
            ),
        ),
        ("learning machine", Bag((Word("learning"), Word("machine")))),
        ("a -k8s", But(A, Word("k8s"))),
        ("title:k8s", In("title", Or((Word("k8s"), Phrase(("kubernetes",)))))),
        ("k8s*", Prefix("k8s")),
        ("a", A),
    ],
)
def test_other_names_are_woven_in(text: str, tree: Node) -> None:
    """R2.5"""
    assert expand_aliases(parse(text).tree, K8S) == tree


def test_no_names_or_empty_names_change_nothing() -> None:
    for aliases in ({}, {"": ("x",)}, {"!!": ("x",)}, {"a": ("", "!!")}):
        assert expand_aliases(A, aliases) == A
