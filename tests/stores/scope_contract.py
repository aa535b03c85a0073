"""What every store must keep out of sight, in every leg."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.model.errors import NotFound
from recollect.model.note import Link, Session
from recollect.model.query import Scope
from recollect.model.tree import Word
from recollect.ports import Store
from tests.building import days_ago, embed_all, hit_ids, note, put
from tests.stores.words_contract import ONE_STORE_MANY_EXAMPLES


class ScopeContract:
    """Scope is a promise: every leg keeps it, inside its query."""

    def everywhere(self, store: Store, scope: Scope) -> dict[str, set[str]]:
        model = embed_all(store)
        query = model.embed(["alpha"])[0]
        assert store.vectors
        assert store.graph
        return {
            "words": set(hit_ids(store.words.find(Word("alpha"), scope, 50))),
            "meaning": set(hit_ids(store.vectors.nearest(model.identity, query, scope, 50))),
            "recent": set(store.vectors.recently_accessed(model.identity, scope, 50)),
            "links": set(hit_ids(store.graph.neighbours({"hub": 1.0}, scope, 50))) | {"hub"},
            "slugs": set(hit_ids(store.slugs.resembling(["alpha"], scope, 50))),
        }

    def agree(self, store: Store, scope: Scope, expected: set[str]) -> None:
        for leg, found in self.everywhere(store, scope).items():
            unlinked = {"foreign"} if leg == "links" else set()  # links stay within their space
            assert found - {"hub"} == expected - {"hub"} - unlinked, leg

    def fill(self, store: Store) -> None:
        names = ("one", "two", "three", "four", "five")
        links = tuple(Link(name) for name in (*names, "foreign"))
        put(
            store,
            note("hub", "alpha hub", path="alpha.md", links=links),
            note("one", "alpha", path="1/alpha.md", session="s1", tags=("x", "y"), age_days=1),
            note("two", "alpha", path="2/alpha.md", session="s2", tags=("x",), age_days=20),
            note("three", "alpha", path="3/alpha.md", project="p", age_days=40),
            note("four", "alpha", path="4/alpha.md", session="s3", age_days=400),
            note("five", "alpha", path="5/alpha.md"),
            note("foreign", "alpha", path="6/alpha.md", space="elsewhere", session="s1"),
        )
        store.sessions.open_session("home", "s1", "p")
        store.sessions.open_session("home", "s2", "p")
        store.sessions.open_session("home", "s3")
        store.sessions.open_session("elsewhere", "s1", "p")

    @pytest.mark.parametrize(
        ("scope", "expected"),
        [
            (Scope.of("home"), {"hub", "one", "two", "three", "four", "five"}),
            (Scope.of("elsewhere"), {"foreign"}),
            (Scope.of("nowhere"), set()),
            (Scope.of("home", sessions=["s1"]), {"one"}),
            (Scope.of("home", sessions=["s1", "s2"]), {"one", "two"}),
            (Scope.of("home", sessions=[]), set()),
            (Scope.of("home", projects=["p"]), {"one", "two", "three"}),
            (Scope.of("home", projects=["p"], sessions=["s2", "s3"]), {"two"}),
            (Scope.of("home", projects=[]), set()),
            (Scope.of("home", tags=["x"]), {"one", "two"}),
            (Scope.of("home", tags=["x", "y"]), {"one"}),
            (Scope.of("home", since=days_ago(30)), {"one", "two"}),
            (Scope.of("home", since=days_ago(20)), {"one", "two"}),
            (Scope.of("home", before=days_ago(20)), {"hub", "three", "four", "five"}),
            (Scope.of("home", since=days_ago(50), before=days_ago(10)), {"two", "three"}),
            (
                Scope.of("home", excluded=["one", "five", "nobody"]),
                {"hub", "two", "three", "four"},
            ),
            (Scope.of("home", sessions=["' OR 1=1 --"]), set()),
        ],
    )
    def test_every_leg_keeps_the_scope(
        self, store: Store, scope: Scope, expected: set[str]
    ) -> None:
        """R0.9"""
        self.fill(store)
        self.agree(store, scope, expected)

    def test_a_narrow_scope_never_starves(self, store: Store) -> None:
        crowd = [note(f"crowd{n:03}", "alpha alpha", session="crowd") for n in range(120)]
        put(store, *crowd, note("lone", "alpha and much else besides", session="lone"))
        model = embed_all(store)
        scope = Scope.of("home", sessions=["lone"])
        assert store.vectors
        query = model.embed(["alpha"])[0]
        assert hit_ids(store.words.find(Word("alpha"), scope, 1)) == ["lone"]
        assert hit_ids(store.vectors.nearest(model.identity, query, scope, 1)) == ["lone"]
        assert list(store.vectors.recently_accessed(model.identity, scope, 1)) == ["lone"]

    def test_moving_a_session_moves_its_visibility_at_once(self, store: Store) -> None:
        self.fill(store)
        store.sessions.move_session("home", "s3", "p")
        self.agree(store, Scope.of("home", projects=["p"]), {"one", "two", "three", "four"})
        store.sessions.move_session("home", "s1", None)
        self.agree(store, Scope.of("home", projects=["p"]), {"two", "three", "four"})

    def test_sessions_of_one_name_in_two_spaces_are_in_the_projects_of_their_own(
        self, store: Store
    ) -> None:
        for space, project in (("home", "p"), ("away", "q")):
            store.sessions.open_session(space, "s", project)
            put(store, note(f"of {space}", "alpha", space=space, session="s", project="p"))
        model = embed_all(store)
        assert store.vectors is not None
        for projects, expected in (("p", {"of home"}), ("q", {"of away"})):
            scope = Scope.of("home", "away", projects=[projects])
            wanted = model.embed(["alpha"])[0]
            assert set(store.listing.ids_in(scope)) == expected
            assert set(hit_ids(store.words.find(Word("alpha"), scope, 9))) == expected
            near = store.vectors.nearest(model.identity, wanted, scope, 9)
            assert set(hit_ids(near)) == expected

    def test_sessions_of_one_project_belong_together(self, store: Store) -> None:
        """R4.5"""
        self.fill(store)
        assert store.sessions.sessions_around("home", "s1") == {"s1", "s2"}
        assert store.sessions.sessions_around("home", "s3") == {"s3"}
        assert store.sessions.sessions_around("home", "unheard of") == {"unheard of"}
        with pytest.raises(NotFound):
            store.sessions.move_session("home", "unheard of", "p")

    def test_opening_a_session_twice_changes_nothing(self, store: Store) -> None:
        store.sessions.open_session("home", "s", "p")
        store.sessions.open_session("home", "s")
        store.sessions.open_session("home", "t", "p")
        assert store.sessions.sessions_around("home", "s") == {"s", "t"}

    def test_sessions_are_listed_by_name_page_by_page(self, store: Store) -> None:
        for name, project in (("c", "p"), ("a", None), ("d", "q"), ("b", "p")):
            store.sessions.open_session("home", name, project)
        store.sessions.open_session("elsewhere", "a")
        everyone = [one.id for one in store.roster.list_sessions("home", 10)]
        assert everyone == ["a", "b", "c", "d"]
        assert [one.id for one in store.roster.list_sessions("home", 2, 1)] == ["b", "c"]
        assert [one.id for one in store.roster.list_sessions("home", 9, 0, "p")] == ["b", "c"]
        assert list(store.roster.list_projects("home")) == ["p", "q"]
        assert store.roster.session("home", "b") == Session("home", "b", "p")
        assert store.roster.session("home", "unheard of") is None

    def test_a_session_that_is_dropped_leaves_its_notes_in_their_own_project(
        self, store: Store
    ) -> None:
        self.fill(store)
        store.roster.drop_session("home", "s2")
        self.agree(store, Scope.of("home", projects=["p"]), {"one", "three"})
        assert store.roster.session("home", "s2") is None
        with pytest.raises(NotFound):
            store.roster.drop_session("home", "s2")

    @ONE_STORE_MANY_EXAMPLES
    @given(
        spaces=st.sets(st.sampled_from(["home", "elsewhere", "nowhere"]), min_size=1),
        sessions=st.none() | st.sets(st.sampled_from(["s1", "s2", "s3", "s4"])),
        projects=st.none() | st.sets(st.sampled_from(["p", "q"])),
        tags=st.sets(st.sampled_from(["x", "y"])),
        excluded=st.sets(st.sampled_from(["one", "two", "three", "four", "five", "foreign"])),
    )
    def test_all_legs_agree_on_any_scope(
        self,
        store: Store,
        spaces: set[str],
        sessions: set[str] | None,
        projects: set[str] | None,
        tags: set[str],
        excluded: set[str],
    ) -> None:
        self.fill(store)
        scope = Scope.of(
            *spaces, sessions=sessions, projects=projects, tags=tags, excluded=excluded
        )
        found = self.everywhere(store, scope)
        self.agree(store, scope, found["words"])
