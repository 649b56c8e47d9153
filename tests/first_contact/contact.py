# SPDX-License-Identifier: Apache-2.0
"""What the cases of first contact share: a scratch folder, and the real program run in it.

Each test says in its first line what a user did, and in its second what must come out.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HRI = os.environ.get("HRI_BINARY", "hri")
SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Outcome:
    def __init__(self, run):
        self.code = run.returncode
        self.out = run.stdout
        self.err = run.stderr

    def __repr__(self):
        return f"exit code {self.code}\n{self.out}\n{self.err}"


class FirstContact(unittest.TestCase):
    def setUp(self):
        self._scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._scratch.name)

    def tearDown(self):
        self._scratch.cleanup()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, encoding="utf-8")
        return path

    def hri(self, *arguments, timeout=120):
        return Outcome(
            subprocess.run(
                [HRI, *map(str, arguments)],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=timeout,
                check=False,
            )
        )

    def says(self, text, outcome):
        self.assertIn(text, outcome.out + outcome.err)

    def says_not(self, text, outcome):
        self.assertNotIn(text, outcome.out + outcome.err)


def main():
    unittest.main(module=sys.modules["__main__"], verbosity=1)
