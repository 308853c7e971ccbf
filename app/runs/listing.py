"""Summaries of many runs from a database.

MLflow's search makes an object of every parameter, tag and metric of every run: 4 s for 1,000 runs. A list
shows few of them, so that these columns alone are asked for, by MLflow's own table classes: 0.1 s.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from app.runs.summary import RunSummary, lasted, measures, moment
from models.training.run_names import LANGUAGE

if TYPE_CHECKING:
    from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore


def list_database(
    store: "SqlAlchemyStore", experiments: Mapping[str, str], limit: int | None
) -> Iterator[RunSummary]:
    """Runs of the experiments, given as names by id; the newest first, then by id."""
    from mlflow.store.tracking.dbmodels.models import SqlLatestMetric, SqlRun

    with store.ManagedSessionMaker() as session:
        runs = (
            session.query(
                SqlRun.run_uuid,
                SqlRun.name,
                SqlRun.experiment_id,
                SqlRun.status,
                SqlRun.start_time,
                SqlRun.end_time,
            )
            .filter(SqlRun.lifecycle_stage == "active", SqlRun.experiment_id.in_(map(int, experiments)))
            .order_by(SqlRun.start_time.desc(), SqlRun.run_uuid)
            .limit(limit)
        )
        chosen = runs.with_entities(SqlRun.run_uuid).subquery()
        points = session.query(
            SqlLatestMetric.run_uuid, SqlLatestMetric.key, SqlLatestMetric.value, SqlLatestMetric.is_nan
        ).join(chosen, chosen.c.run_uuid == SqlLatestMetric.run_uuid)
        metrics: dict[str, dict[str, float]] = defaultdict(dict)
        for run_id, key, value, is_nan in points.filter(~SqlLatestMetric.key.startswith(LANGUAGE)):
            metrics[run_id][key] = math.nan if is_nan else value
        for run_id, name, experiment, status, start, end in runs:
            yield RunSummary(
                id=run_id,
                name=name,
                experiment=experiments[str(experiment)],
                status=status,
                started=moment(start),
                seconds=lasted(status, start, end),
                measures=measures(metrics[run_id]),
            )
