"""How XML is read here: no entities, no network, no DTD, limited depth."""

from collections.abc import Collection
from typing import Literal

from lxml import etree


def pull_parser(event: Literal["start", "end"], tags: Collection[str] | None = None) -> etree.XMLPullParser:
    """A parser that is fed in pieces and tells of the elements with these tags, or of all."""
    # Not collect_ids=False: it makes lxml read the DTD, a local file's content included.
    return etree.XMLPullParser(
        events=(event,),
        tag=tags,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
    )
