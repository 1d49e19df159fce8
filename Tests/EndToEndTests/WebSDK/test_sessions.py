"""Sessions that a browser keeps, and sessions that end."""

from support import BrowserTests


class SessionTests(BrowserTests):
    def test_places_in_which_the_session_is_kept(self) -> None:
        for kind, stays in (
            ("indexedDBLocalPersistence", True), ("browserLocalPersistence", True),
            ("browserSessionPersistence", True), ("inMemoryPersistence", False),
        ):
            with self.subTest(kind):
                app = self.open_app(visitor=self.new_visitor())
                app.value("persist", kind)
                made = app.value("signInAnonymously")
                app.page.reload()
                kept = app.value("current")
                self.assertEqual(kept and kept["uid"], made["uid"] if stays else None)

    def test_account_that_is_deleted_elsewhere(self) -> None:
        self.app.value("signInAnonymously")
        self.app.value("deleteElsewhere")
        self.assertEqual(self.app.outcome("reload")["error"], "auth/user-token-expired")
        self.assertIsNone(self.app.value("current"))
