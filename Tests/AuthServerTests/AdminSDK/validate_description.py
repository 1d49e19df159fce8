"""Checks the OpenAPI document at an address; says what is wrong with it."""

import environment

environment.continue_inside()

import json  # noqa: E402
import sys  # noqa: E402
import urllib.request  # noqa: E402

from openapi_spec_validator import OpenAPIV31SpecValidator  # noqa: E402

with urllib.request.urlopen(sys.argv[1]) as answer:
    document = json.load(answer)
faults = list(OpenAPIV31SpecValidator(document).iter_errors())
for fault in faults:
    print("/".join(str(part) for part in fault.absolute_path), fault.message[:300])
sys.exit(1 if faults else 0)
