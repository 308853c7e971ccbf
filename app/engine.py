"""The search engine: one question in, one page of results out. UI, API, CLI and evaluation all call it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock

import numpy as np

from app.evidence import EvidenceFinder
from app.matching import MatchedSet, collapsed, match_query, query_terms
from app.query import Mode, Query
from app.record import search_record
from app.reranking import rerank
from app.results import EXPLAINED, Hit, ResultPage, Span, Timings
from app.similar import similar_citations
from app.spelling import suggestion
from app.understanding import named, understand
from indexer.citation import Citation
from indexer.library import check_encoder
from indexer.merging import Origin, origins
from indexer.mesh import MeshTree
from indexer.pointer import POINTER
from indexer.published import LibraryInfo, Published, open_published
from models.encoder import Encoder, EncoderSettings, Vectors
from models.errors import BioglotError, UsageError
from models.rerank.reranker import Reranker

COUNTED = 10_000
"""Results are counted, and can be paged through, up to here."""


class NotFound(BioglotError):
    """The library has no citation of that id."""

    http_status = 404


class SearchEngine:
    """Searches the published set of one library; safe to share between threads.

    When a new set is published, the next call sees it, unless it is of another encoder: then the engine stays
    with the set that it has for as long as that is on disk. rerankers: by the names that queries may ask for.
    mesh: finds narrower headings and entry terms; without it a heading is what is written.
    """

    def __init__(
        self,
        library: Path,
        encoder: Encoder,
        rerankers: Mapping[str, Reranker] | None = None,
        mesh: MeshTree | None = None,
    ) -> None:
        self.library = library
        self.encoder = encoder
        self.mesh = mesh
        self.rerankers = dict(rerankers or {})
        self._evidence = EvidenceFinder(encoder)
        self._lock = Lock()
        self._mark = pointer_mark(library)
        self._published = open_published(library)
        check_encoder(self._published.library, encoder)

    def search(self, query: Query) -> ResultPage:
        """The page of the matched set that the query asks for, best first, ties by id.

        The matched set: citations that match any term, or whose best passage has a cosine to the query at or
        above the encoder's cut-off, and that pass the filters; of several records of one article the best,
        unless the query does not collapse them. A Boolean query says itself what matches, and identifiers
        name it; of these nothing is collapsed. A reranker reorders the best 50.
        """
        reranker = self.reranker(query.rerank)
        published = self.published()
        begun = time.perf_counter()
        asked = understand(query, published)
        dense = query.mode is not Mode.LEXICAL and asked.numbers is None and asked.text
        vector = self.encoder.encode_queries([asked.text])[0] if dense else None
        encoded = time.perf_counter()
        matched = match_query(published, query, asked, vector, self.encoder.cut_off, self.mesh)
        searched = time.perf_counter()
        scores: Vectors = np.empty(0, np.float32)
        if reranker and asked.text and asked.numbers is None:
            matched, scores = rerank(published, matched, asked.text, reranker)
        reranked = time.perf_counter()
        hits = page_hits(published, matched, query, scores.tolist())
        timings = Timings(
            encode=1000 * (encoded - begun),
            search=1000 * (searched - encoded),
            fetch=1000 * (time.perf_counter() - reranked),
            rerank=1000 * (reranked - searched),
        )
        page = self.page(published, query, hits, len(matched.numbers), timings)
        ids = tuple(hit.id for hit in hits)
        return replace(
            page,
            record=search_record(published, query, asked, page.total, page.total_exact, ids, self.mesh),
            suggestion=suggestion(asked, published.vocabulary),
            missing=asked.missing,
        )

    def explain(self, page: ResultPage, count: int = EXPLAINED) -> ResultPage:
        """The page, its first `count` hits with the sentences and words that answer the query."""
        begun = time.perf_counter()
        asked = understand(page.query, self.published())
        if asked.numbers is not None or not asked.text:
            return page
        vector = self.encoder.encode_queries([asked.text])[0]
        terms = query_terms(asked.text, asked.language)
        hits = self._evidence.explain(page.hits[:count], vector, terms)
        timings = replace(page.timings, evidence=1000 * (time.perf_counter() - begun))
        return replace(page, hits=hits + page.hits[count:], timings=timings)

    def similar(self, id: str, limit: int = 10) -> ResultPage:
        """The citations nearest to one (see app.similar), itself left out; raises NotFound."""
        citation = self.show(id)
        query = Query(text=citation.title or citation.id, mode=Mode.DENSE, limit=limit)
        published = self.published()
        begun = time.perf_counter()
        number = int(published.columns.numbers([citation.id])[0])
        matched = collapsed(similar_citations(published, number), published.groups)
        searched = time.perf_counter()
        hits = page_hits(published, matched, query)
        timings = Timings(0.0, 1000 * (searched - begun), 1000 * (time.perf_counter() - searched))
        return self.page(published, query, hits, len(matched.numbers), timings)

    def show(self, id: str) -> Citation:
        """The citation with this PMID ("34092429" or "pmid:34092429"), id or DOI; raises NotFound."""
        published = self.published()
        numbers = named(id.strip(), published)
        ids = [published.columns.id(number) for number in numbers[:1]]
        found = published.read(ids)
        if not found:
            raise NotFound(
                f"no citation {id!r} in {self.library}: expected a PMID, an id like pmid:123 or a DOI"
            )
        return next(iter(found.values()))

    def origins(self, citation: Citation) -> tuple[Origin, ...]:
        """Which records of which files a citation that was shown is made of."""
        return origins(self.published().parts(citation.id))

    def info(self) -> LibraryInfo:
        """What the published set holds."""
        return self.published().info()

    def published(self) -> Published:
        """The newest set of the engine's encoder; raises LibraryError if it has been cleared away."""
        mark = pointer_mark(self.library)
        with self._lock:
            if mark != self._mark:
                newest = open_published(self.library)
                if newest.set.fingerprint == self.encoder.fingerprint:
                    self._published = newest
                elif not self._published.folder.is_dir():
                    check_encoder(newest.library, self.encoder)
                self._mark = mark
            return self._published

    def reranker(self, name: str | None) -> Reranker | None:
        """The reranker of that name; raises UsageError for one that the engine was not opened with."""
        if name is None:
            return None
        if name not in self.rerankers:
            offered = ", ".join(self.rerankers) or "none"
            raise UsageError(
                f"reranker {name!r} is not offered here (offered: {offered}): "
                "leave rerank out, or start with --rerank NAME"
            )
        return self.rerankers[name]

    def page(
        self, published: Published, query: Query, hits: tuple[Hit, ...], total: int, timings: Timings
    ) -> ResultPage:
        """The result page with the identity of library, encoder and reranker."""
        reranker = self.reranker(query.rerank)
        return ResultPage(
            query=query,
            hits=hits,
            total=min(total, COUNTED),
            total_exact=total <= COUNTED,
            timings=timings,
            library_version=published.set.number,
            encoder=f"{self.encoder.name} ({self.encoder.fingerprint})",
            reranker=f"{reranker.name} ({reranker.fingerprint})" if reranker else None,
        )


def open_engine(
    library: Path,
    settings: EncoderSettings | None = None,
    rerankers: Sequence[str] = (),
    mesh: MeshTree | None = None,
) -> SearchEngine:
    """An engine over the library, with the encoder that it names unless settings say another.

    rerankers: names of those that queries may ask for. mesh: as for SearchEngine.
    Raises LibraryError if there is no library or it is of another encoder, UsageError for an unknown
    reranker, ModelError if a model won't load.
    """
    from models.loading import load_encoder
    from models.rerank.loading import load_rerankers

    published = open_published(library)
    settings = settings or published.library.encoder.settings
    encoder = load_encoder(settings)
    return SearchEngine(library, encoder, load_rerankers(rerankers, encoder, settings.precision), mesh)


def page_hits(
    published: Published, matched: MatchedSet, query: Query, reranked: Sequence[float] = ()
) -> tuple[Hit, ...]:
    """The hits of one page, citations read in one go. reranked: the scores of the first ones, if any."""
    last = min(query.offset + query.limit, COUNTED)
    numbers = matched.numbers[query.offset : last].tolist()
    ids = [published.columns.id(number) for number in numbers]
    citations = published.read(ids)
    dense = {number: row for row, number in enumerate(matched.dense.numbers.tolist())}
    lexical = {number: row for row, number in enumerate(matched.lexical.numbers.tolist())}
    duplicates = published.duplicates(numbers) if query.collapse else {}
    hits = []
    for rank, (number, item) in enumerate(zip(numbers, ids, strict=True), query.offset + 1):
        place = dense.get(number)
        terms = lexical.get(number)
        hits.append(
            Hit(
                rank=rank,
                id=item,
                score=float(matched.scores[rank - 1]),
                citation=citations[item],
                passage=None if place is None else span(published, int(matched.dense.positions[place])),
                dense_score=None if place is None else float(matched.dense.scores[place]),
                lexical_score=None if terms is None else float(matched.lexical.scores[terms]),
                duplicates=tuple(map(published.columns.id, duplicates.get(number, ()))),
                rerank_score=reranked[rank - 1] if rank <= len(reranked) else None,
            )
        )
    return tuple(hits)


def span(published: Published, position: int) -> Span:
    """The characters of the passage at a position."""
    place = published.place(position)
    return Span(place.start, place.end)


def pointer_mark(library: Path) -> tuple[int, int] | None:
    """Changes whenever a new set is published; None before the first."""
    try:
        stat = (library / POINTER).stat()
    except FileNotFoundError:
        return None
    return stat.st_ino, stat.st_mtime_ns
