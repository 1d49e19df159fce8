"""Bundles Firebase's JavaScript SDK from the files that a published package has of it.

There is no registry of JavaScript here, but a package of Python holds a bundle of the SDK with its source map, and so
most of the SDK's own files, whole. Files that its bundler left out are in the folder "ours", written for these tests:
names of the protocol, and second factors. Everything is made outside of the repository.
"""

import json
import pathlib
import re
import shutil
import subprocess

OURS = pathlib.Path(__file__).resolve().parent / "ours"

# Where our files are in the SDK.
PLACES = {
    "anonymous.ts": "auth/src/core/strategies/anonymous.ts",
    "auth.ts": "auth/auth.ts",
    "channels.ts": "auth/src/platform_browser/messagechannel/index.ts",
    "components.ts": "component/src/types.ts",
    "credentials.ts": "auth/src/core/credentials/index.ts",
    "enums.ts": "auth/src/model/enums.ts",
    "events.ts": "auth/src/model/popup_redirect.ts",
    "factor_info.ts": "auth/src/mfa/mfa_info.ts",
    "factor_session.ts": "auth/src/mfa/mfa_session.ts",
    "index.ts": "auth/src/index.ts",
    "internal.ts": "auth/internal.ts",
    "provider_names.ts": "auth/src/core/util/providers.ts",
    "public_types.ts": "auth/src/model/public_types.ts",
    "second_factors.ts": "auth/src/mfa/second_factors.ts",
    "server_app.ts": "app/src/firebaseServerApp.ts",
    "sign_up.ts": "auth/src/api/authentication/sign_up.ts",
}
# Files that have types alone.
TYPES = ("app/src/public-types.ts", "app/src/types.ts")
# Packages whose index was left out: it exports everything of these files.
WHOLE = ("component", "logger", "util")


def extract(source_map: pathlib.Path, modules: pathlib.Path) -> None:
    """Writes the SDK's files as they are in the source map."""
    bundle = json.loads(source_map.read_text())
    for name, text in zip(bundle["sources"], bundle["sourcesContent"]):
        _, found, path = name.partition("node_modules/")
        if not found or text is None or path.split("/")[0] not in ("@firebase", "idb"):
            continue
        file = modules / path
        if not file.resolve().is_relative_to(modules.resolve()):
            raise ValueError(f"a file of the source map is outside of its folder: {name}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def complete(modules: pathlib.Path) -> None:
    """Adds what is needed to build: our files, and the packages' indexes and names."""
    firebase = modules / "@firebase"
    for name, place in PLACES.items():
        (firebase / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(OURS / name, firebase / place)
    for place in TYPES:
        shutil.copyfile(OURS / "nothing.ts", firebase / place)
    for package in WHOLE:
        sources = sorted((firebase / package / "src").glob("*.ts"))
        (firebase / package / "index.ts").write_text(
            "".join(f'export * from "./src/{file.stem}";\n' for file in sources))
        describe(firebase / package, "index.ts")
    describe(firebase / "app", "src/index.ts")
    describe(firebase / "auth", "auth.ts")
    describe(modules / "idb", "build/index.js")


def describe(package: pathlib.Path, main: str = "") -> None:
    """Writes the description of a package, which the SDK reads too."""
    package.mkdir(parents=True, exist_ok=True)
    (package / "package.json").write_text(
        json.dumps({"name": package.name, "version": "0.0.0", "main": main}))


def add_names(modules: pathlib.Path) -> None:
    """Adds the names of the packages of which the SDK's app knows."""
    sources = (modules / "@firebase" / "app" / "src").resolve()
    text = "".join((sources / name).read_text() for name in ("api.ts", "constants.ts"))
    for path in re.findall(r"from '([^']+/package\.json)'", text):
        file = (sources / path).resolve()
        if not file.exists():
            describe(file.parent)


def build(package: pathlib.Path, folder: pathlib.Path) -> None:
    """Makes auth.js in the folder from the package."""
    [source_map] = package.glob("frontend/build/static/js/main.*.js.map")
    # As deep as the SDK's own paths to its neighbours need.
    modules = folder / "sdk" / "node_modules"
    shutil.rmtree(folder / "sdk", ignore_errors=True)
    extract(source_map, modules)
    complete(modules)
    add_names(modules)
    subprocess.run(
        [
            "esbuild", "--bundle", "--format=esm", "--log-level=warning", "--minify",
            f"--outfile={folder / 'auth.js'}", str(modules / "@firebase" / "auth" / "auth.ts"),
        ], check=True, stdin=subprocess.DEVNULL)
