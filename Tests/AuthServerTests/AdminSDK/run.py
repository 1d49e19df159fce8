"""Runs the tests of this folder against the server that FIREBASE_AUTH_EMULATOR_HOST names."""

import environment

environment.continue_inside()

import pathlib  # noqa: E402
import sys  # noqa: E402
import unittest  # noqa: E402

if __name__ == "__main__":
    folder = pathlib.Path(__file__).resolve().parent
    tests = unittest.defaultTestLoader.discover(str(folder), pattern="test_*.py")
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    # Tests that were not found are no success.
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 20 else 1)
