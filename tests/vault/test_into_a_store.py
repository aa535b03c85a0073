"""From a folder to an answer, with nothing but what a conductor has at hand (R3.5)."""

from recollect.engine.learn import document_of
from recollect.recipes.shelf import VAULT
from recollect.stores.memory import memory_store
from recollect.vault.read import read
from tests.building import Home, ids
from tests.vault.conftest import Indexed


def test_a_folder_is_found_and_its_backlinks_counted_by_distinct_source(vault: Indexed) -> None:
    vault.write("hub.md", "---\naliases: [Centre]\n---\n# Hub\n\nAll about gardens.\n\n[[hub]]\n")
    vault.write("a.md", "gardens: [[hub]], [[Hub#part|twice]], ![[Centre]]\n")
    vault.write("sub/b.md", "[gardens](../hub.md)\n")
    vault.write("c.md", "`[[hub]]` only shows how a link to gardens is written\n")
    home = Home(memory_store())
    seen = vault.look()
    readings = [one for path in seen.pending if (one := read(seen, path, vault.remarks.append))]
    home.store.writer.put(document_of(one.note, one.passages) for one in readings)

    path_ids = {one.note.path: one.note.id for one in readings}
    facts = home.store.shelf.facts(path_ids.values())
    assert facts[path_ids["hub.md"]].backlinks == 2
    assert facts[path_ids["c.md"]].backlinks == 0
    assert set(ids(home.ask("gardens", VAULT))) == set(path_ids.values())
