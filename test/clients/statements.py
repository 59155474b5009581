"""Reads a JSON list of statements of reports, and takes each by two parsers of Trino's SQL: sqlglot, and one that also knows
the functions of Trino but takes no long statements. Prints how many the first took, and how many the second."""

import json
import sys

import sqlglot
import trino_sql_validator

statements = json.load(sys.stdin)
checked = 0
for sql in statements:
    sqlglot.parse_one(sql, dialect="trino")
    result = trino_sql_validator.validate(sql, dialect="trino", jinja="reject")
    if result.valid and not result.warnings:
        checked += 1
    else:
        assert result.error and "complexity" in result.error.message, f"{result} {result.warnings} {sql}"
print(json.dumps({"parsed": len(statements), "checked": checked}))
