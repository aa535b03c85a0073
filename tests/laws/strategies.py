"""Random rankings, notes and questions for the laws."""

from hypothesis import strategies as st

from recollect.model.note import Link, Note
from recollect.model.ranking import Hit
from recollect.recipes.recipe import AnyFusion
from recollect.retrieve.fuse import RRF, Convex, Distribution, Weighted
from recollect.retrieve.rank import ranking
from tests.building import note

LEGS = ("words", "meaning", "links", "created")
VOCABULARY = ("alpha", "beta", "gamma", "delta", "tips", "overview", "bought")

note_ids = st.sampled_from([f"n{number}" for number in range(12)])
scores = st.floats(-1, 30, allow_nan=False) | st.sampled_from([0.0, 0.5, 1.0])
hit_lists = st.lists(st.builds(Hit, note_ids, scores), min_size=1, max_size=12).map(
    lambda found: list({hit.note_id: hit for hit in found}.values())
)
weights = st.sampled_from([0.0, 0.35, 0.4, 0.6, 1.0]) | st.floats(0.001, 5, allow_nan=False)
rankings = st.lists(
    st.tuples(weights, hit_lists, st.sampled_from([None, 0.0, -1.0])), min_size=1, max_size=4
).map(
    lambda lists: [
        ranking(leg, weight, found, floor)
        for leg, (weight, found, floor) in zip(LEGS, lists, strict=False)
    ]
)
fusions: st.SearchStrategy[AnyFusion] = st.one_of(
    st.builds(RRF, st.floats(-10, 200), st.sampled_from(["position", "dense"])),
    st.builds(Convex, st.floats(0, 1)),
    st.builds(Distribution, st.floats(0.5, 5)),
    st.just(Weighted()),
)

_texts = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=6).map(" ".join)


@st.composite
def note_sets(draw: st.DrawFn, most: int = 9) -> list[Note]:
    """A few notes over a small vocabulary, so that they tie, link and repeat each other."""
    count = draw(st.integers(1, most))
    names = [f"n{number}" for number in range(count)]
    return [
        note(
            name,
            draw(_texts),
            title=draw(st.sampled_from(("", "Alpha", "A summary"))),
            path=draw(st.sampled_from(("memory/global/x.md", "user-fact-1.md", f"{name}.md"))),
            age_days=draw(st.sampled_from((1, 20, 20, 100, 400))),
            importance=draw(st.sampled_from((0.0, 0.5, 0.75, 1.0))),
            links=tuple(
                Link(target, draw(st.sampled_from(("see-also", "supersedes"))))
                for target in draw(st.lists(st.sampled_from(names), max_size=2))
            ),
        )
        for name in names
    ]


questions = st.one_of(
    st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=4).map(" ".join),
    st.sampled_from(
        ["any tips on alpha", "how many beta", "alpha -gamma", '"alpha beta" OR delta', "alfa"]
    ),
)
