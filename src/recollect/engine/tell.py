"""The best memories of a session in; kept, handed over, and counted as far as they have arrived.

Only what has really reached an agent is given: whatever came too late, or to nobody, is still new to
the session, and its topic is not answered. Call it within the session's turn.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import blake2b

from recollect.model.recollection import Handed, Late, Recollection
from recollect.ports import Recollections, UsageLog

HandOver = Callable[[Recollection], Handed]


def all_arrives(told: Recollection) -> Handed:
    """For a caller that takes what is returned."""
    return Handed(told.news)


def tell(
    best: Recollection, usage: UsageLog, kept: Recollections, hand_over: HandOver
) -> Recollection:
    """The best are kept and their time is touched, arrived or not; shown is what arrived (R1.5)."""
    told = kept.change(best.session, lambda last: _following(best, last))
    handed = hand_over(told)
    owed: list[str] = []

    def settled(last: Recollection | None) -> Recollection:
        before = last or told
        owed.extend(_said_late(before))
        return _settled(told, best, handed, before)

    made = kept.change(best.session, settled)
    shown = [*owed, *(handed.ids if handed.arrived else ())]
    usage.shown(shown, best.at)
    usage.recalled([one.id for one in best.memories if one.id not in shown], best.at)
    return made


def _following(best: Recollection, last: Recollection | None) -> Recollection:
    """The best of now, with all that is known of the session."""
    if last is None:
        return replace(best, news=_news(best, {}), topic=None)
    news = _news(best, last.given)
    return replace(best, news=news, topic=last.topic, given=last.given, late=last.late)


def _settled(
    told: Recollection, best: Recollection, handed: Handed, before: Recollection
) -> Recollection:
    own = {memory.id: digest(memory.text) for memory in told.memories if memory.id in handed.ids}
    if handed.arrived:
        topic = best.topic or before.topic
        return replace(told, topic=topic, given={**before.given, **own}, late=None)
    new = {one: made for one, made in own.items() if before.given.get(one) != made}
    return replace(told, given=before.given, late=Late(handed.text, new) if new else None)


def _said_late(before: Recollection) -> tuple[str, ...]:
    return tuple(before.late.given) if before.late and before.late.said else ()


def _news(best: Recollection, given: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(one.id for one in best.memories if given.get(one.id) != digest(one.text))


def digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
