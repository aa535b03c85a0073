"""What is remembered of a file between two visits, and its one-line form. Frozen, pure.

With these records a folder is indexed again without reading what did not change, and a link to a
note that is not there yet finds it on the day it appears.
"""

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from recollect.ingest.page import Mention
from recollect.model.note import Link


@dataclass(frozen=True, slots=True)
class FileRecord:
    """`links` is what the store was told; `mentions` is what the file says, resolved or not.

    `edition` names the reader and its settings: another edition reads the file anew.
    """

    path: str
    note_id: str
    size: int
    mtime_ns: int
    digest: str
    edition: str
    created_at: datetime
    title: str = ""
    aliases: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    links: tuple[Link, ...] = ()

    def as_json(self) -> str:
        fields = asdict(self)
        fields["created_at"] = self.created_at.isoformat()
        fields["mentions"] = [[m.target, m.label, m.kind] for m in self.mentions]
        fields["links"] = [[link.target, link.kind] for link in self.links]
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> "FileRecord":
        fields = json.loads(line)
        fields["created_at"] = datetime.fromisoformat(fields["created_at"])
        fields["aliases"] = tuple(fields["aliases"])
        fields["mentions"] = tuple(Mention(*mention) for mention in fields["mentions"])
        fields["links"] = tuple(Link(*link) for link in fields["links"])
        return cls(**fields)
