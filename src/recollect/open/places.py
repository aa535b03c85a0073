"""Addresses in, open stores out. What a store needs is imported when such a store is opened."""

from recollect.model.errors import StoreError
from recollect.open.addresses import StoreAddress
from recollect.ports import Place


def open_place(address: StoreAddress, *, create: bool = True) -> Place:
    base = _file(address, create=create) if address.is_file else _server(address, create=create)
    if address.vectors is None:
        return base
    from recollect.stores.qdrant import with_qdrant

    try:
        return with_qdrant(base, address.vectors)
    except BaseException:
        base.close()
        raise


def _file(address: StoreAddress, *, create: bool) -> Place:
    from recollect.stores.sqlite import sqlite_store

    return sqlite_store(address.path, create=create)


def _server(address: StoreAddress, *, create: bool) -> Place:
    try:
        from recollect.stores.postgres import postgres_store
    except ImportError as error:
        way_in = "pip install 'recollect[postgres]'"
        raise StoreError(f"a store in Postgres needs its driver: {way_in}") from error
    return postgres_store(address.url, replica=address.replica, create=create)
