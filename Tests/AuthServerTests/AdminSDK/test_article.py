"""The article "Admin SDKs": its Python is run as a program of its own."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from firebase_admin import auth, tenant_mgt
from support import AccountTests, SERVER, call, only_in_emulator, only_in_production, post

FOLDER = pathlib.Path(__file__).resolve().parent
ARTICLE = FOLDER.parents[2] / "Sources/AuthServer/AuthServer.docc/AdminSDKs.md"


def blocks() -> list[str]:
    found = re.findall(r"```python\n(.*?)```", ARTICLE.read_text(), re.S)
    if len(found) != 4:
        raise AssertionError(f"the article has {len(found)} blocks")
    return found


def run(program: str, *helpers: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for helper in helpers:
            (place / "point_to.py").write_text(helper)
        (place / "program.py").write_text(program)
        made = subprocess.run(
            [sys.executable, "program.py"], cwd=place, env=os.environ, capture_output=True,
            text=True, stdin=subprocess.DEVNULL)
    if made.returncode != 0:
        raise AssertionError(made.stderr)
    return made.stdout


class Article(AccountTests):
    def changed(self, text: str, changes: dict[str, str]) -> str:
        for old, new in changes.items():
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text

    @only_in_emulator
    def test_the_program_for_tests(self):
        printed = run(blocks()[0])
        self.assertEqual(printed.strip(), auth.get_user_by_email("ada@example.com").uid)

    @only_in_emulator
    def test_the_program_for_tenants_in_tests(self):
        printed = run(self.changed(blocks()[1], {"http://127.0.0.1:9099": SERVER}))
        found = [
            user.uid for tenant in tenant_mgt.list_tenants().iterate_all()
            for user in tenant_mgt.auth_for_tenant(tenant.tenant_id).list_users().iterate_all()]
        self.assertIn(printed.strip(), found)

    @only_in_production
    def test_the_program_for_production(self):
        _, _, helper, program = blocks()
        self.assertEqual(helper, (FOLDER / "point_to.py").read_text())
        printed = run(self.changed(program, {
            "https://auth.example.com": SERVER,
            "worker.json": os.environ["GOOGLE_APPLICATION_CREDENTIALS"],
        }), helper)
        user = auth.get_user_by_email("ada@example.com")
        token, uid = printed.split()
        self.assertEqual(uid, user.uid)
        answer = post("signInWithCustomToken", token=token, returnSecureToken=True)
        claims = auth.verify_id_token(answer["idToken"], check_revoked=True)
        self.assertEqual((claims["uid"], claims["plan"]), (user.uid, "gold"))

    @only_in_production
    def test_the_addresses_of_keys(self):
        paths = re.findall(r"^\| .* \| `(/[^`]+)` \|$", ARTICLE.read_text(), re.M)
        self.assertGreaterEqual(len(paths), 4)
        for path in paths:
            self.assertTrue(call("GET", path, None), path)
