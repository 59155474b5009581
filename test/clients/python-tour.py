"""Makes the tour with a generated Python client: python-tour.py CLIENT_FOLDER CLIENT_NAME URL < steps as JSON.

Each step calls the function that the generator made for its operation. Prints one JSON line a step: {"operation", "status"}.
"""

import importlib
import inspect
import json
import pkgutil
import re
import sys

folder, name, url = sys.argv[1:4]
sys.path.insert(0, folder)
package = importlib.import_module(name)
client = importlib.import_module(f"{name}.client").Client(base_url=url, raise_on_unexpected_status=True)
client.get_httpx_client().auth = ("administrator@demo.example", "demo-password")


def snake(text):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).lower()


functions = {}
for module in pkgutil.walk_packages(importlib.import_module(f"{name}.api").__path__, f"{name}.api."):
    if not module.ispkg:
        functions[module.name.rsplit(".", 1)[1]] = importlib.import_module(module.name).sync_detailed


def follow(value, path):
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def argument(value, annotation, typed):
    """A value as the client takes it: enums and models are made of plain values."""
    for each in getattr(annotation, "__args__", (annotation,)):
        if isinstance(value, dict) and hasattr(each, "from_dict"):
            return each.from_dict(value)
        if isinstance(value, str) and inspect.isclass(each) and issubclass(each, str) and each is not str:
            return each(value)
    return value


kept = {}


def fill(value):
    """A value in which `$name` is what an earlier step kept."""
    if isinstance(value, dict):
        return {key: fill(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [fill(inner) for inner in value]
    return kept[value[1:]] if isinstance(value, str) and value[:1] == "$" else value


for step in json.load(sys.stdin):
    function = functions[snake(step["operation"])]
    wanted = inspect.signature(function, eval_str=True).parameters
    given = fill(step.get("params", {}))
    if "body" in step:
        given["body"] = fill(step["body"])
    typed = {snake(key): argument(value, wanted[snake(key)].annotation, step) for key, value in given.items()}
    reply = function(client=client, **typed)
    text = reply.content.decode()
    for key, path in step.get("keep", {}).items():
        kept[key] = follow(json.loads(text), path)
    print(json.dumps({"operation": step["operation"], "status": int(reply.status_code)}))
