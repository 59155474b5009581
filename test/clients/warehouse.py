"""Opens each file of a warehouse with Polars: as many rows as its manifest says, and values of every column."""

import json
import pathlib
import sys

import polars

root = pathlib.Path(sys.argv[1])
tables = {}
for manifest in (root / "manifests").glob("*.json"):
    for name, file in json.loads(manifest.read_text())["files"].items():
        rows = polars.read_parquet(root / file["path"])
        assert rows.height == file["rows"], f"{name}: {rows.height} rows, not {file['rows']}"
        tables.setdefault(name.split("/")[0], []).append(rows)

cases = polars.concat(tables["cases"])
facts = polars.concat(tables["facts"])
members = polars.concat(tables["members"])
agents = members.filter(kind="agent").select(action_agent="id", agent="name")
first = (
    facts.filter(polars.col("response_seconds").is_not_null())
    .join(agents, on="action_agent")
    .group_by("agent")
    .agg(polars.col("response_seconds").median())
)
created = facts.filter(kind="created")
summary = {
    "files": sum(len(files) for files in tables.values()),
    "cases": cases.height,
    "created": created.height,
    "agents": first.height,
    "labels": cases.select(polars.col("labels").explode()).drop_nulls().height,
    "fields": cases.select(polars.col("custom_fields").explode()).drop_nulls().height,
}
print(json.dumps(summary))
