"""The HTTP API over a real engine, through a real server where it matters."""

import json
import threading
import time
import urllib.error
import urllib.request

import httpx
import pytest
import uvicorn

from app.api.guard import MAX_BODY_BYTES
from app.api.listening import AddressError, bind, url_of
from app.api.service import create_app
from app.engine import SearchEngine
from indexer.embed import embed_pending
from indexer.library import create_library
from indexer.passages import citation_text
from indexer.progress import Silent
from indexer.publish import publish
from indexer.upsert import upsert
from models.rerank.loading import load_rerankers
from tests.citations import LIBRARY


@pytest.fixture(scope="module")
def engine(tmp_path_factory, encoder):
    path = tmp_path_factory.mktemp("api") / "library"
    library = create_library(path, encoder)
    with library.writing():
        upsert(library, LIBRARY)
        embed_pending(library, encoder, Silent())
        publish(library, Silent())
    return SearchEngine(path, encoder, load_rerankers(["maxsim"], encoder))


@pytest.fixture(scope="module")
def url(engine):
    """Where a real server answers."""
    bound = bind("127.0.0.1", 0)
    config = uvicorn.Config(create_app(engine), log_level="error", access_log=False, server_header=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield url_of(bound)
    server.should_exit = True
    thread.join()
    bound.close()


@pytest.fixture(scope="module")
def client(url):
    with httpx.Client(base_url=url, timeout=60) as client:
        yield client


def test_search_by_get(client):
    response = client.get("/v1/search", params={"q": "vacuna contra la gripe en embarazadas", "limit": 2})
    assert response.status_code == 200
    document = response.json()
    assert document["query"] == {
        "q": "vacuna contra la gripe en embarazadas",
        "mode": "hybrid",
        "filters": {
            "years": [None, None],
            "languages": [],
            "journals": [],
            "publication_types": [],
            "mesh": [],
            "signals": [],
            "without": [],
            "has_abstract": None,
        },
        "limit": 2,
        "offset": 0,
        "sort": "relevance",
        "prior": "none",
        "collapse": True,
        "rerank": None,
    }
    assert len(document["hits"]) == 2
    first = document["hits"][0]
    score = first.pop("score"), first.pop("dense_score"), first.pop("lexical_score")
    assert score[0] > 0
    assert 0.7 < score[1] <= 1
    assert first.pop("rerank_score") is None
    passage = first.pop("passage")
    assert passage["text"].startswith("Influenza vaccination during pregnancy")
    assert (passage["start"], passage["end"]) == (0, len(passage["text"]))
    text = first.pop("text")
    assert text == citation_text(LIBRARY[0])
    (evidence,) = first.pop("evidence")
    assert evidence["text"] == "We followed pregnant women who received the inactivated flu vaccine."
    assert text[evidence["start"] : evidence["end"]] == evidence["text"]
    assert 0.8 < evidence["score"] < 1.2
    assert first == {
        "rank": 1,
        "id": "pmid:101",
        "pmid": "101",
        "doi": "10.5555/Flu.101",
        "pmcid": "PMC9000101",
        "title": "Influenza vaccination during pregnancy and birth outcomes.",
        "vernacular_title": "",
        "authors": ["Diop A"],
        "journal": "J Small Rec",
        "year": 2020,
        "languages": ["en"],
        "publication_types": ["Journal Article"],
        "retracted": False,
        "signals": [],
        "duplicates": [],
        "url": "https://pubmed.ncbi.nlm.nih.gov/101/",
        "marks": [],
    }
    assert document["total_exact"] is True
    assert document["total"] >= 2
    assert set(document["timings"]) == {"encode", "search", "rerank", "fetch", "evidence"}
    assert document["reranker"] is None


def test_evidence_and_marks_stand_in_the_text_and_can_be_left_out(client):
    asked = {"q": "decayed teeth", "mode": "lexical", "limit": 1}
    (hit,) = client.get("/v1/search", params=asked).json()["hits"]
    assert [hit["text"][mark["start"] : mark["end"]] for mark in hit["marks"]] == ["decayed", "teeth"]
    assert [item["text"] for item in hit["evidence"]] == [LIBRARY[8].abstract[0].text]
    (bare,) = client.get("/v1/search", params={**asked, "evidence": False}).json()["hits"]
    assert bare == {**hit, "evidence": [], "marks": []}
    assert client.post("/v1/search", json={**asked, "evidence": False}).json()["hits"] == [bare]


def test_get_and_post_answer_the_same(client):
    asked = {
        "q": "心筋梗塞後のリハビリ",
        "mode": "dense",
        "limit": 3,
        "offset": 1,
        "prior": "recent",
        "collapse": False,
    }
    by_get = client.get("/v1/search", params={**asked, "filter": ["year=2000:", "language=en"]}).json()
    by_post = client.post("/v1/search", json={**asked, "filter": ["year=2000:", "language=en"]}).json()
    for document in (by_get, by_post):
        del document["timings"], document["methods"], document["record"]["date"]
    assert by_get == by_post
    assert [hit["rank"] for hit in by_get["hits"]] == [2, 3, 4]


def test_a_reranker_that_the_server_was_started_with_can_be_asked_for(client):
    asked = {"q": "心筋梗塞後のリハビリ", "rerank": "maxsim"}
    by_get, by_post = client.get("/v1/search", params=asked), client.post("/v1/search", json=asked)
    assert [hit["id"] for hit in by_get.json()["hits"]] == [hit["id"] for hit in by_post.json()["hits"]]
    document = by_get.json()
    assert document["query"]["rerank"] == "maxsim"
    assert document["reranker"].startswith("maxsim (")
    scores = [hit["rerank_score"] for hit in document["hits"]]
    assert scores == sorted(scores, reverse=True)
    assert document["timings"]["rerank"] > 0


@pytest.mark.parametrize("name", ["owner/model", "/etc", "", "MAXSIM"])
def test_no_request_makes_the_server_load_a_model(client, name):
    response = client.get("/v1/search", params={"q": "gripe", "rerank": name})
    assert response.status_code == 422
    assert f"reranker {name!r} is not offered here (offered: maxsim)" in response.json()["error"]["message"]


def test_filters_hold(client):
    document = client.get("/v1/search", params={"q": "paludisme", "filter": "year=:2005"}).json()
    assert {hit["id"] for hit in document["hits"]} <= {"pmid:103", "pmid:105"}
    assert document["hits"][0]["id"] == "pmid:103"


@pytest.mark.parametrize("id", ["101", "pmid:101", "10.5555/flu.101", "10.5555%2Fflu.101"])
def test_a_citation_is_found_by_every_name(client, id):
    document = client.get(f"/v1/citations/{id}").json()
    assert document["id"] == "pmid:101"
    assert document["doi"] == "10.5555/Flu.101"
    assert document["citation"]["mesh"][0]["name"] == "Influenza Vaccines"


def test_similar(client):
    document = client.get("/v1/citations/10.5555/flu.101/similar", params={"limit": 3}).json()
    assert len(document["hits"]) == 3
    assert "pmid:101" not in {hit["id"] for hit in document["hits"]}


def test_health(client):
    assert client.get("/health").json() == {"status": "ok", "library_version": 1, "citations": len(LIBRARY)}


@pytest.mark.parametrize(
    ("method", "path", "values", "status", "type", "message"),
    [
        ("GET", "/v1/search?q=%20", None, 422, "UsageError", "the query is empty: type at least one word"),
        ("GET", "/v1/search", None, 422, "UsageError", "q: Field required"),
        ("GET", "/v1/search?q=x&limit=0", None, 422, "UsageError", "limit is 0, expected 1 to 1000"),
        (
            "GET",
            "/v1/search?q=x&limit=ten",
            None,
            422,
            "UsageError",
            "limit: Input should be a valid integer, unable to parse string as an integer",
        ),
        (
            "GET",
            "/v1/search?q=x&mode=psychic",
            None,
            422,
            "UsageError",
            "mode: Input should be 'hybrid', 'dense' or 'lexical'",
        ),
        (
            "GET",
            "/v1/search?q=x&filter=colour%3Dred",
            None,
            422,
            "UsageError",
            "filter 'colour=red': no field 'colour'; "
            "the fields are year, language, journal, type, mesh, signal, without, abstract",
        ),
        ("POST", "/v1/search", {}, 422, "UsageError", "q: Field required"),
        (
            "POST",
            "/v1/search",
            {"q": "x", "colour": "red"},
            422,
            "UsageError",
            "colour: Extra inputs are not permitted",
        ),
        ("GET", "/v1/nothing/here", None, 404, "NotFound", "there is nothing at GET /v1/nothing/here"),
        ("GET", "/nothing", None, 404, "NotFound", "Not Found"),
        ("DELETE", "/v1/search", None, 404, "NotFound", "there is nothing at DELETE /v1/search"),
        ("POST", "/health", None, 405, "MethodNotAllowed", "Method Not Allowed"),
    ],
)
def test_every_error_has_one_shape(client, method, path, values, status, type, message):
    response = client.request(method, path, json=values)
    assert response.status_code == status
    assert response.json() == {"error": {"type": type, "message": message}}


def test_an_unknown_citation_is_not_found(client):
    for path in ("/v1/citations/999", "/v1/citations/10.1/none", "/v1/citations/999/similar"):
        response = client.get(path)
        assert response.status_code == 404
        assert response.json()["error"]["type"] == "NotFound"


def test_a_body_that_is_no_json_is_refused(client):
    response = client.post("/v1/search", content=b"{", headers={"content-type": "application/json"})
    assert response.status_code == 422
    assert response.json()["error"]["message"].endswith("JSON decode error")


LIMIT_MESSAGE = "the body is larger than 1,000,000 bytes, which is the limit"


def test_a_large_body_is_refused_by_its_declared_length(client):
    response = client.post("/v1/search", json={"q": "x" * MAX_BODY_BYTES})
    assert response.status_code == 413
    assert response.json() == {"error": {"type": "BodyTooLarge", "message": LIMIT_MESSAGE}}
    assert response.headers["x-content-type-options"] == "nosniff"


def test_a_large_body_is_refused_while_it_comes(url):
    def pieces():
        yield b'{"q": "'
        for _ in range(30):
            yield b"x" * 50_000
        yield b'"}'

    request = urllib.request.Request(
        f"{url}/v1/search", data=pieces(), headers={"Content-Type": "application/json"}
    )
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=60)
    with caught.value as error:
        assert error.code == 413
        assert json.load(error)["error"]["message"] == LIMIT_MESSAGE


def test_answers_carry_security_headers(client):
    headers = client.get("/health").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


def test_the_schema_is_served_and_no_page_that_loads_from_elsewhere(client):
    schema = client.get("/v1/openapi.json").json()
    assert sorted(schema["paths"]) == [
        "/health",
        "/v1/citations/{id}",
        "/v1/citations/{id}/similar",
        "/v1/search",
    ]
    assert client.get("/docs").status_code == 404
    assert client.get("/redoc").status_code == 404


def test_many_searches_at_once_give_what_one_gives(client):
    asked = {"q": "diabetes", "limit": 5}
    alone = client.get("/v1/search", params=asked).json()["hits"]
    answers = []

    def ask():
        answers.append(client.get("/v1/search", params=asked).json()["hits"])

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [alone] * 8


def test_an_address_in_use_is_told():
    with bind("127.0.0.1", 0) as first:
        first.listen()
        port = first.getsockname()[1]
        with pytest.raises(AddressError) as caught:
            bind("127.0.0.1", port)
    assert str(caught.value) == (
        f"cannot listen on 127.0.0.1 port {port}: Address already in use; "
        "choose another address with --host or --port, or stop what runs there"
    )
