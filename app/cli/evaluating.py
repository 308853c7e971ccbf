"""bioglot evaluate."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.indexing import SET_ASIDE
from app.cli.options import RERANKERS, encoder_options, examples, json_option, settings_from
from app.cli.printing import print_json
from app.query import MAX_LIMIT, Mode, Prior

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.evaluation.evaluate import Evaluation
    from app.evaluation.languages import LanguagesEvaluation
    from app.evaluation.measures import Compared
    from app.settings import Settings

DEPTH = 100
ENCODER_OPTIONS = ("model", "dimensions", "max_tokens", "precision")


@click.command(
    epilog=examples(
        "bioglot evaluate scifact",
        "bioglot evaluate scifact --mode hybrid --mode dense --runs runs --json",
        "bioglot evaluate scifact --mode hybrid --against runs/bm25.txt",
        "bioglot evaluate scifact --mode hybrid --rerank maxsim",
        "bioglot evaluate trec-pm --library pubmed --field disease --field gene",
        "bioglot evaluate --languages sentences.tsv --model bge-m3",
        "bioglot evaluate --languages sentences.tsv --mode hybrid --mode dense",
    )
)
@click.argument("collection", required=False, type=click.Path(path_type=Path), metavar="[COLLECTION]")
@click.option(
    "--languages",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Measure language by language instead: lines of language, English, text (.tsv, .gz, .xz).",
)
@click.option("--split", default="test", show_default=True, metavar="NAME", help="Which qrels/NAME.tsv.")
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="NAME",
    help="Field of TREC topics that makes the query; may be repeated. Default: title, query or summary, "
    "else all of a topic's text.",
)
@click.option(
    "--mode",
    "modes",
    type=click.Choice([mode.value for mode in Mode]),
    multiple=True,
    help="What to measure; may be repeated. The first is compared with the others. Default: all; with "
    "--languages, vectors alone.",
)
@click.option(
    "--rerank",
    "rerankers",
    metavar="NAME",
    multiple=True,
    help=f"Measure hybrid search with this reranker as well; may be repeated: {RERANKERS}.",
)
@click.option(
    "--prior",
    "priors",
    type=click.Choice([prior.value for prior in Prior if prior is not Prior.NONE]),
    multiple=True,
    help="Measure hybrid search with this prior as well; may be repeated.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, MAX_LIMIT),
    default=DEPTH,
    show_default=True,
    help="Documents to ask for.",
)
@click.option(
    "--library",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where the corpus is indexed. Default: a folder for collection and encoder in bioglot's user data. "
    "For a collection without a corpus: the library to search. Default: as for search.",
)
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A run of another system, in TREC's format, to measure beside; may be repeated.",
)
@click.option(
    "--runs",
    "runs_folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write our runs there, in TREC's format.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the result: a .png, .svg or .pdf file.",
)
@encoder_options
@json_option
def evaluate(
    collection: Path | None,
    languages: Path | None,
    plot: Path | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401
) -> int:
    """Measure how well search finds what is relevant.

    COLLECTION is a folder in BEIR form (queries.jsonl, qrels/test.tsv) or in TREC's: a file of topics and one
    of qrels, with these words in their names. The documents are those of a corpus.jsonl in the folder, which
    is indexed once, or else those of a library, by their PMIDs. Every judged query is asked as a user would
    ask it. Intervals are 95 % (bootstrap over queries), p is that of the paired randomization test.

    With --languages, every text looks for its twin among all the English sentences of the file: by vectors
    alone, or with --mode as users search, over a temporary library of the sentences.
    """
    from app.evaluation.measures import check_tools
    from app.evaluation.plots import check_plot

    check_tools()
    if plot is not None:
        check_plot(plot)
    settings = settings_from(**{name: options.pop(name) for name in ENCODER_OPTIONS})
    if collection is not None and languages is None:
        return measure_collection(collection, settings, plot, as_json, **options)
    if languages is not None and collection is None:
        if any(
            options[name] for name in ("rerankers", "priors", "library", "against", "runs_folder", "fields")
        ):
            raise click.UsageError(
                "--languages takes no --rerank, --prior, --library, --against, --runs or --field"
            )
        return measure_languages(languages, settings, options["modes"], plot, as_json)
    raise click.UsageError("give a COLLECTION, or --languages FILE, and not both")


def measure_collection(
    folder: Path,
    settings: "Settings",
    plot: Path | None,
    as_json: bool,
    *,
    split: str,
    fields: tuple[str, ...],
    modes: tuple[str, ...],
    rerankers: tuple[str, ...],
    priors: tuple[str, ...],
    depth: int,
    library: Path | None,
    against: tuple[Path, ...],
    runs_folder: Path | None,
) -> int:
    """Indexes, searches, measures and reports; the exit code."""
    from app.cli.progress import open_progress
    from app.evaluation.collection import read_collection
    from app.evaluation.evaluate import evaluate, locate
    from models.rerank.loading import load_rerankers

    collection = read_collection(folder, split, [name.lower() for name in fields])
    library, encoder = locate(collection, settings, library)
    with open_progress() as progress:
        result = evaluate(
            collection,
            library,
            encoder,
            progress,
            modes=chosen(modes) or list(Mode),
            depth=depth,
            against=against,
            runs_folder=runs_folder,
            priors=[Prior(prior) for prior in dict.fromkeys(priors)],
            rerankers=load_rerankers(rerankers, encoder, settings.chosen_encoder.precision),
        )
    return report_evaluation(result, plot, as_json)


def report_evaluation(result: "Evaluation", plot: Path | None, as_json: bool) -> int:
    """Draws and prints; the exit code."""
    from app.evaluation.plots import plot_runs

    if plot is not None:
        title = f"{result.collection} ({result.split}), {result.queries:,} queries\n{result.provenance}"
        plot_runs(result.runs, title, plot)
    print_json(result) if as_json else echo_evaluation(result)
    for fault in result.faults:
        click.echo(f"set aside: {fault}", err=True)
    return SET_ASIDE if result.faults else 0


def measure_languages(
    file: Path, settings: "Settings", modes: tuple[str, ...], plot: Path | None, as_json: bool
) -> int:
    """Embeds, measures and prints; the exit code."""
    from app.cli.progress import open_progress
    from app.evaluation.heat_map import plot_languages
    from app.evaluation.languages import evaluate_languages
    from app.evaluation.sentences import read_sentences
    from models.loading import load_encoder

    sentences = read_sentences(file)
    encoder = load_encoder(settings.chosen_encoder)
    with open_progress() as progress:
        result = evaluate_languages(
            sentences, encoder, progress, modes=chosen(modes), home=settings.home / "evaluation" / "temporary"
        )
    if plot is not None:
        run = result.runs[0].run
        title = f"accuracy@1 ({run}), {result.name}: text to its English twin\n{result.provenance}"
        plot_languages(result.languages, title, plot)
    print_json(result) if as_json else echo_languages(result)
    return 0


def chosen(modes: tuple[str, ...]) -> list[Mode]:
    """Each mode that was named, once."""
    return [Mode(mode) for mode in dict.fromkeys(modes)]


def echo_evaluation(result: "Evaluation") -> None:
    """Writes what was measured, then the table, then the comparisons."""
    click.echo(
        f"{result.collection} ({result.split}): {result.queries:,} queries, {result.documents:,} documents; "
        f"{result.provenance}"
    )
    width = max(len(run.run) for run in result.runs)
    click.echo("".ljust(width) + "".join(f"  {name:<17}" for name in result.measures).rstrip())
    for run in result.runs:
        cells = (
            f"  {value:.4f} {run.intervals[name][0]:.3f}-{run.intervals[name][1]:.3f}"
            for name, value in run.measures.items()
        )
        click.echo(run.run.ljust(width) + "".join(f"{cell:<19}" for cell in cells).rstrip())
    echo_comparisons(result.comparisons)


def echo_languages(result: "LanguagesEvaluation") -> None:
    """Writes a table of the first run, a language a line, then the means of all runs."""
    click.echo(
        f"{result.name}: {len(result.languages)} languages, {result.english_sentences:,} English sentences; "
        f"{result.provenance}"
    )
    width = max(len(row.language) for row in result.languages)
    families = max(len(row.family) for row in result.languages)
    click.echo(f"{'':{width}}  script  {'family':{families}}  texts  accuracy@1  (95 %)       recall@10")
    for row in result.languages:
        low, high = row.accuracy_interval
        click.echo(
            f"{row.language:{width}}  {row.script:6}  {row.family:{families}}  {row.sentences:5}  "
            f"{row.accuracy:.4f}      {low:.3f}-{high:.3f}  {row.recall:.4f}     {row.name}"
        )
    for run in result.runs:
        means = ", ".join(f"{name} {value:.4f}" for name, value in run.measures.items())
        click.echo(f"mean ({run.run}): {means}")
    echo_comparisons(result.comparisons)


def echo_comparisons(comparisons: "Sequence[Compared]") -> None:
    """Writes a line for each difference."""
    for row in comparisons:
        click.echo(f"{row.measure}: {row.first} - {row.second} = {row.difference:+.4f} (p = {row.p:.4f})")
