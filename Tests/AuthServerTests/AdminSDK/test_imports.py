"""Imports of accounts, with hashes of every algorithm that the SDK knows."""

from firebase_admin import auth
from hashes import HASHES, PASSWORD
from support import (
    AccountTests, EMULATED, Refused, WRONG_PASSWORD, new_email, new_number, only_in_emulator,
    only_in_production)

class Imports(AccountTests):
    def test_every_algorithm_is_taken(self):
        for name, (algorithm, password_hash, salt) in HASHES.items():
            with self.subTest(name):
                email = new_email()
                user = auth.ImportUserRecord(
                    uid=f"by-{name}", email=email, password_hash=password_hash, password_salt=salt)
                result = auth.import_users([user], hash_alg=algorithm)
                self.assertEqual(
                    (result.success_count, [one.reason for one in result.errors]), (1, []))
                self.assertEqual(
                    [one.provider_id for one in auth.get_user(f"by-{name}").provider_data], ["password"])
                # The emulator knows no algorithm but its own.
                if not EMULATED:
                    with self.assertRaisesRegex(Refused, WRONG_PASSWORD):
                        self.sign_in(email, "another horse")
                    self.assertEqual(self.sign_in(email, PASSWORD)["localId"], f"by-{name}")

    def test_what_is_brought_is_kept(self):
        email, number = new_email(), new_number()
        user = auth.ImportUserRecord(
            uid="ada", email=email, email_verified=True, display_name="Ada", phone_number=number,
            photo_url="https://example.com/ada.png", disabled=False, custom_claims={"role": "admin"},
            user_metadata=auth.UserMetadata(
                creation_timestamp=1500000000000, last_sign_in_timestamp=1600000000000),
            provider_data=[auth.UserProvider(
                uid="g-1", provider_id="google.com", email="ada@gmail.example", display_name="Ada G")])
        self.assertEqual(auth.import_users([user]).errors, [])
        found = auth.get_user("ada")
        self.assertEqual((found.email, found.email_verified), (email, True))
        self.assertEqual((found.display_name, found.phone_number), ("Ada", number))
        self.assertEqual(found.custom_claims, {"role": "admin"})
        self.assertEqual(found.user_metadata.creation_timestamp, 1500000000000)
        self.assertEqual(found.user_metadata.last_sign_in_timestamp, 1600000000000)
        entry = next(one for one in found.provider_data if one.provider_id == "google.com")
        self.assertEqual((entry.uid, entry.email), ("g-1", "ada@gmail.example"))

    def test_an_import_without_a_password_gets_one_later(self):
        email = new_email()
        user = auth.ImportUserRecord(uid="bo", email=email)
        payload = user.to_dict()
        self.assertEqual(payload["localId"], "bo")
        auth.import_users([user])
        auth.update_user("bo", password="correct horse")
        self.assertEqual(self.sign_in(email, "correct horse")["localId"], "bo")

    def test_a_thousand_at_once(self):
        users = [auth.ImportUserRecord(uid=f"u{number:04d}") for number in range(1000)]
        result = auth.import_users(users)
        self.assertEqual((result.success_count, result.failure_count), (1000, 0))
        self.assertEqual(len(auth.list_users().users), 1000)

    @only_in_production
    def test_an_import_replaces_an_account_and_faults_are_told_with_their_place(self):
        auth.create_user(uid="taken", display_name="Ada")
        result = auth.import_users([
            auth.ImportUserRecord(uid="free"), auth.ImportUserRecord(uid="taken", display_name="Bo"),
            auth.ImportUserRecord(uid="bad", email="bad@example.com", password_hash=b"short")],
            hash_alg=HASHES["sha256"][0])
        self.assertEqual((result.success_count, result.failure_count), (2, 1))
        self.assertEqual(result.errors[0].index, 2)
        self.assertEqual(auth.get_user("taken").display_name, "Bo")

    @only_in_emulator
    def test_faults_are_told_with_their_place(self):
        auth.create_user(uid="taken")
        result = auth.import_users([
            auth.ImportUserRecord(uid="free"), auth.ImportUserRecord(uid="taken")])
        self.assertEqual((result.success_count, result.failure_count), (1, 1))
        self.assertEqual(result.errors[0].index, 1)
        self.assertIn("localId belongs to an existing account", result.errors[0].reason)
