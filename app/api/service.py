"""The HTTP API over one search engine."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Request
from fastapi import Query as Parameters
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from app.api.guard import Guard
from app.documents import CitationDocument, SearchDocument, citation_document, search_document
from app.query import MAX_LIMIT, Mode, Prior, Query, Sort, parse_filters
from app.results import EXPLAINED, ResultPage
from models.errors import BioglotError

if TYPE_CHECKING:
    from app.engine import SearchEngine

Lifespan = Callable[[Any], AbstractAsyncContextManager[None]]

DESCRIPTION = """Search the biomedical literature in any language.

Filters are FIELD=VALUE items, such as `year=2019:2021`, `language=fr` or `type=Review`; a repeated field
adds values. Every error has one shape: `{"error": {"type": ..., "message": ...}}`.
"""


class SearchRequest(BaseModel):
    """The parameters of GET /v1/search, and the body of POST."""

    model_config = ConfigDict(extra="forbid")

    q: str = Field(description="A question in any language, identifiers, or a query in PubMed's syntax.")
    mode: Mode = Mode.HYBRID
    limit: int = 10
    offset: int = 0
    filter: list[str] = Field([], description="FIELD=VALUE; may be repeated.")
    sort: Sort = Sort.RELEVANCE
    prior: Prior = Prior.NONE
    collapse: bool = True
    evidence: bool = Field(True, description=f"Why the first {EXPLAINED} hits matched.")
    rerank: str | None = Field(None, description="A reranker that the server was started with.")

    def query(self) -> Query:
        """The question; raises UsageError."""
        return Query(
            self.q,
            self.mode,
            parse_filters(self.filter),
            self.limit,
            self.offset,
            sort=self.sort,
            prior=self.prior,
            collapse=self.collapse,
            rerank=self.rerank,
        )


class Health(BaseModel):
    """The state of the server, and the library that it answers from."""

    status: str
    library_version: int
    citations: int


class ErrorDetail(BaseModel):
    type: str
    message: str


class ErrorDocument(BaseModel):
    """The one shape of every error."""

    error: ErrorDetail


def create_app(engine: "SearchEngine", lifespan: Lifespan | None = None) -> FastAPI:
    """The API over an open engine, which stays the caller's to close."""
    # FastAPI's interactive pages load their scripts from other sites: only the schema is served.
    api = FastAPI(
        title="bioglot",
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
        lifespan=lifespan,
        responses={code: {"model": ErrorDocument} for code in (404, 413, 422, 503)},
    )
    api.add_middleware(Guard)
    add_error_handlers(api)
    add_search_routes(api, engine)
    add_citation_routes(api, engine)
    return api


def add_search_routes(api: FastAPI, engine: "SearchEngine") -> None:
    """GET and POST /v1/search, and /health."""

    @api.get("/v1/search", summary="Search")
    def search(request: Annotated[SearchRequest, Parameters()]) -> SearchDocument:
        return search_document(answer(engine, request.query(), request.evidence))

    @api.post("/v1/search", summary="Search, with the question in the body")
    def search_by_body(request: SearchRequest) -> SearchDocument:
        return search_document(answer(engine, request.query(), request.evidence))

    @api.get("/health", summary="Whether the server can answer")
    def health() -> Health:
        held = engine.published().set
        return Health(status="ok", library_version=held.number, citations=held.citations)


def answer(engine: "SearchEngine", question: Query, evidence: bool) -> ResultPage:
    """The page that the question asks for."""
    page = engine.search(question)
    return engine.explain(page) if evidence else page


def add_citation_routes(api: FastAPI, engine: "SearchEngine") -> None:
    """/v1/citations/{id} and /v1/citations/{id}/similar; an id is a PMID or a DOI, slashes and all."""

    @api.get("/v1/citations/{id:path}/similar", summary="Records nearest in meaning to a record")
    def similar(id: str, limit: Annotated[int, Parameters(ge=1, le=MAX_LIMIT)] = 10) -> SearchDocument:
        return search_document(engine.similar(id, limit))

    @api.get("/v1/citations/{id:path}", summary="One record, whole")
    def citation(id: str) -> CitationDocument:
        citation = engine.show(id)
        return citation_document(citation, engine.origins(citation))

    # Where a page is mounted at the root, it would answer for these.
    @api.api_route(
        "/v1/{rest:path}", methods=["GET", "POST", "PUT", "PATCH", "DELETE"], include_in_schema=False
    )
    def nothing(request: Request, rest: str) -> None:
        raise HTTPException(404, f"there is nothing at {request.method} /v1/{rest}")


def add_error_handlers(api: FastAPI) -> None:
    """Gives every error the shape of ErrorDocument."""

    def on_bioglot_error(request: Request, error: Exception) -> JSONResponse:
        status = error.http_status if isinstance(error, BioglotError) else 500
        return error_response(status, type(error).__name__, str(error))

    def on_http_error(request: Request, error: Exception) -> JSONResponse:
        status = error.status_code if isinstance(error, HTTPException) else 500
        headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
        names = {404: "NotFound", 405: "MethodNotAllowed", 413: "BodyTooLarge"}
        detail = str(getattr(error, "detail", error))
        return error_response(status, names.get(status, "HTTPError"), detail, headers)

    def on_invalid_request(request: Request, error: Exception) -> JSONResponse:
        faults = error.errors() if isinstance(error, RequestValidationError) else []
        return error_response(422, "UsageError", "; ".join(map(fault_message, faults)))

    def on_failure(request: Request, error: Exception) -> JSONResponse:
        return error_response(500, "InternalError", "the server failed; its log says why")

    api.add_exception_handler(BioglotError, on_bioglot_error)
    api.add_exception_handler(HTTPException, on_http_error)
    api.add_exception_handler(RequestValidationError, on_invalid_request)
    api.add_exception_handler(Exception, on_failure)


def fault_message(fault: dict[str, Any]) -> str:
    """One fault of a request, named by its field: "limit: Input should be a valid integer"."""
    place = ".".join(str(part) for part in fault["loc"] if part not in ("query", "body", "path"))
    return f"{place}: {fault['msg']}" if place else str(fault["msg"])


def error_response(
    status: int, type: str, message: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    """An ErrorDocument as a response."""
    return JSONResponse({"error": {"type": type, "message": message}}, status_code=status, headers=headers)
