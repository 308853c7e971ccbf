"""bioglot runs: the record of training runs."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.options import examples, json_option, settings_from
from app.cli.printing import print_json

if TYPE_CHECKING:
    from app.runs.reading import RunStore

UI_PORT = 5000
LISTED = 20

store_option = click.option(
    "--store",
    metavar="STORE",
    help="A folder with runs, or an address of MLflow. Default: BIOGLOT_RUNS, or the key training.runs of "
    "bioglot.toml, or bioglot's user data.",
)


@click.group()
def runs() -> None:
    """List, show and compare training runs.

    RUN is the name of a run, or its id, of which the beginning is enough.
    """


@runs.command("list", epilog=examples("bioglot runs list", "bioglot runs list --experiment swahili -n 100"))
@click.option("--experiment", metavar="NAME", help="Only the runs of this experiment. Default: all.")
@click.option(
    "-n", "limit", type=click.IntRange(min=1), default=LISTED, show_default=True, help="How many to list."
)
@store_option
@json_option
def list_runs(experiment: str | None, limit: int, store: str | None, as_json: bool) -> None:
    """List the newest runs."""
    from app.cli.run_reports import echo_runs
    from app.runs.reading import NoRunsError

    try:
        found = open_store(store).newest(experiment, limit)
    except NoRunsError as nothing:
        found = ()
        click.echo(nothing, err=True)
    if as_json:
        print_json({"runs": found})
    else:
        echo_runs(found)


@runs.command("show", epilog=examples("bioglot runs show quick-owl-12", "bioglot runs show 3f2a --json"))
@click.argument("run")
@store_option
@json_option
def show_run(run: str, store: str | None, as_json: bool) -> None:
    """Show all that is on record of a run."""
    from app.cli.run_reports import echo_run

    opened = open_store(store)
    found = opened.find(run)
    curves = opened.curves(found)
    if as_json:
        print_json({"run": found, "curves": curves})
    else:
        echo_run(found, curves)


@runs.command("compare", epilog=examples("bioglot runs compare 3f2a 81bc --plot curves.svg"))
@click.argument("run")
@click.argument("other")
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw the curves there."
)
@store_option
@json_option
def compare(run: str, other: str, plot: Path | None, store: str | None, as_json: bool) -> None:
    """Show what differs between two runs.

    A difference is beyond the spread of seeds if p is below .05: finished runs that differ in nothing but
    their seeds are compared by a t-test.
    """
    from app.cli.run_reports import echo_comparison
    from app.evaluation.plots import check_plot
    from app.runs.compare import compare_runs
    from app.runs.plots import plot_curves

    if plot is not None:
        check_plot(plot)
    opened = open_store(store)
    comparison = compare_runs(opened, opened.find(run), opened.find(other))
    if plot is not None:
        plot_curves(comparison, plot)
    print_json(comparison) if as_json else echo_comparison(comparison)


@runs.command("ui", epilog=examples("bioglot runs ui"))
@click.option("--port", type=int, metavar="N", help=f"Port. Default: {UI_PORT}.")
@store_option
def ui(port: int | None, store: str | None) -> None:
    """Open MLflow's own page over the runs.

    It is on http://localhost:5000, for this machine alone.
    """
    from app.api.listening import bind, url_of
    from app.runs.mlflow_page import HOST, served_page

    chosen = settings_from(runs=store or None).runs_store
    if chosen.startswith(("http://", "https://")):
        click.echo(f"MLflow's page is at {chosen}")
        return
    with bind(HOST, UI_PORT if port is None else port) as bound:
        address, free = url_of(bound), bound.getsockname()[1]
    with contextlib.suppress(KeyboardInterrupt), served_page(chosen, free) as process:
        click.echo(f"MLflow's page is at {address} (stop with Ctrl-C)", err=True)
        process.wait()


def open_store(store: str | None) -> "RunStore":
    """The runs that the option names, or the settings."""
    from app.runs.reading import RunStore

    return RunStore(settings_from(runs=store or None).runs_store)
