"""Runs the tests of this folder against a server: see README.md."""

import environment

environment.continue_inside()

import os  # noqa: E402
import pathlib  # noqa: E402
import sys  # noqa: E402
import unittest  # noqa: E402

if __name__ == "__main__":
    # The SDK asks the server that it is told, and no proxy.
    os.environ["NO_PROXY"] = "*"
    folder = pathlib.Path(__file__).resolve().parent
    tests = unittest.defaultTestLoader.discover(str(folder), pattern="test_*.py")
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    # Tests that were not found are no success.
    ran = result.testsRun - len(result.skipped)
    sys.exit(0 if result.wasSuccessful() and ran > 35 else 1)
