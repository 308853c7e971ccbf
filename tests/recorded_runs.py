"""Training runs for tests, recorded for real."""

import sqlite3
import uuid

from models.training.record import DataFile, RecordSettings, recorded_run

DATA = (DataFile("pairs/训练.jsonl", "0a" * 32, 4_000), DataFile("dev.jsonl", "0b" * 32, 100))


def configuration(seed=1, rate=2e-05):
    return {
        "model": "e5-small",
        "seed": seed,
        "training": {"learning_rate": rate, "languages": ["sw", "日本語"], "folder": f"out-{seed}"},
    }


def record(folder, name, losses, *, seed=1, rate=2e-05, languages=None, data=DATA, files=None):
    """A finished run with a loss a step; its id."""
    settings = RecordSettings(str(folder), name=name)
    with recorded_run(settings, configuration(seed, rate), data=data) as run:
        for step, loss in enumerate(losses, 1):
            run.log(10 * step, {"loss": loss, "nDCG@10": 1 - loss / 4})
        run.log_languages(10 * len(losses), languages or {})
        for file, text in (files or {}).items():
            run.log_text(file, text)
    return run.run_id


def copy_run(folder, run_id, copies):
    """Copies of a run, the newest last: each with its own name, start and loss, four with each repeats."""
    database = sqlite3.connect(folder / "runs.db")
    for number in range(1, copies + 1):
        changed = {"run_uuid": uuid.UUID(int=number).hex, "start_time": 10**12 + 1_000 * number}
        for table in ("runs", "params", "tags", "latest_metrics", "metrics"):
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            chosen = [f":{column}" if column in changed else column for column in columns]
            database.execute(
                f"INSERT INTO {table} SELECT {', '.join(chosen)} FROM {table} WHERE run_uuid = :source",
                changed | {"source": run_id},
            )
        values = {"id": changed["run_uuid"], "name": f"копия-{number}", "group": f"group-{number % 250}"}
        database.execute("UPDATE runs SET name = :name WHERE run_uuid = :id", values)
        for key in ("mlflow.runName", "bioglot.repeats"):
            value = ":name" if key == "mlflow.runName" else ":group"
            database.execute(
                f"UPDATE tags SET value = {value} WHERE run_uuid = :id AND key = '{key}'", values
            )
        database.execute(
            "UPDATE latest_metrics SET value = value + :number / 1e4 WHERE run_uuid = :id AND key = 'loss'",
            {"id": changed["run_uuid"], "number": number * 7919 % 1000},
        )
    database.commit()
    database.close()
