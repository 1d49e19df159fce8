"""Imports of accounts, with hashes of every algorithm that the SDK knows."""

from firebase_admin import auth
from support import AccountTests, new_email, new_number

HASHES = {
    "hmac_sha512": lambda: auth.UserImportHash.hmac_sha512(key=b"key"),
    "hmac_sha256": lambda: auth.UserImportHash.hmac_sha256(key=b"key"),
    "hmac_sha1": lambda: auth.UserImportHash.hmac_sha1(key=b"key"),
    "hmac_md5": lambda: auth.UserImportHash.hmac_md5(key=b"key"),
    "md5": lambda: auth.UserImportHash.md5(rounds=0),
    "sha1": lambda: auth.UserImportHash.sha1(rounds=1),
    "sha256": lambda: auth.UserImportHash.sha256(rounds=1),
    "sha512": lambda: auth.UserImportHash.sha512(rounds=1),
    "pbkdf_sha1": lambda: auth.UserImportHash.pbkdf_sha1(rounds=1),
    "pbkdf2_sha256": lambda: auth.UserImportHash.pbkdf2_sha256(rounds=1),
    "scrypt": lambda: auth.UserImportHash.scrypt(
        key=b"key", rounds=8, memory_cost=14, salt_separator=b"x"),
    "bcrypt": auth.UserImportHash.bcrypt,
    "standard_scrypt": lambda: auth.UserImportHash.standard_scrypt(
        memory_cost=1024, parallelization=16, block_size=8, derived_key_length=64),
}


class Imports(AccountTests):
    def test_every_algorithm_is_taken(self):
        for name, make in HASHES.items():
            with self.subTest(name):
                user = auth.ImportUserRecord(
                    uid=f"by-{name}", email=new_email(), password_hash=b"password", password_salt=b"salt")
                result = auth.import_users([user], hash_alg=make())
                self.assertEqual((result.success_count, result.errors), (1, []))
                self.assertEqual(
                    [one.provider_id for one in auth.get_user(f"by-{name}").provider_data], ["password"])

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

    def test_the_emulators_own_hash_signs_in(self):
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

    def test_faults_are_told_with_their_place(self):
        auth.create_user(uid="taken")
        result = auth.import_users([
            auth.ImportUserRecord(uid="free"), auth.ImportUserRecord(uid="taken")])
        self.assertEqual((result.success_count, result.failure_count), (1, 1))
        self.assertEqual(result.errors[0].index, 1)
        self.assertIn("localId belongs to an existing account", result.errors[0].reason)
