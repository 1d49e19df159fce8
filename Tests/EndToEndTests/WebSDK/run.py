"""Runs the tests of this folder in a browser, against the server's behaviour that WEB_SDK_MODE names.

AUTHGRAPH is the path of the built binary.
"""

import environment

environment.continue_inside()

import pathlib  # noqa: E402
import sys  # noqa: E402
import unittest  # noqa: E402

import support  # noqa: E402

if __name__ == "__main__":
    folder = pathlib.Path(__file__).resolve().parent
    loader = unittest.defaultTestLoader
    names = sys.argv[1:]
    tests = (
        loader.loadTestsFromNames(names) if names
        else loader.discover(str(folder), pattern="test_*.py"))
    support.setting = support.Setting()
    try:
        result = unittest.TextTestRunner(verbosity=2).run(tests)
    finally:
        support.setting.stop()
    # Tests that were not found are no success.
    sys.exit(0 if result.wasSuccessful() and (names or result.testsRun > 10) else 1)
