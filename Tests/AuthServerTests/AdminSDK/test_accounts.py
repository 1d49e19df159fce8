"""Accounts: making, finding, listing, changing and deleting them."""

import time

from firebase_admin import auth, exceptions
from support import (
    AccountTests, EMULATED, Refused, WRONG_PASSWORD, as_admin, link, new_email, new_number,
    only_in_production, post, renew)


class Accounts(AccountTests):
    def test_what_is_given_is_kept(self):
        email, number = new_email(), new_number()
        user = auth.create_user(
            uid="ada", email=email, email_verified=True, phone_number=number, password="correct horse",
            display_name="Ada", photo_url="https://example.com/ada.png", disabled=False)
        self.assertEqual(user.uid, "ada")
        self.assertEqual((user.email, user.email_verified), (email, True))
        self.assertEqual((user.phone_number, user.display_name), (number, "Ada"))
        self.assertEqual(user.photo_url, "https://example.com/ada.png")
        self.assertFalse(user.disabled)
        self.assertEqual({entry.provider_id for entry in user.provider_data}, {"password", "phone"})
        now = time.time() * 1000
        self.assertLess(abs(user.user_metadata.creation_timestamp - now), 60_000)

    def test_an_account_without_anything(self):
        user = auth.create_user()
        self.assertEqual(len(user.uid), 28)
        self.assertEqual(user.provider_data, [])
        self.assertIsNone(user.email)

    def test_refusals_have_their_own_errors(self):
        number = new_number()
        user = self.person(phone_number=number)
        with self.assertRaises(auth.EmailAlreadyExistsError):
            auth.create_user(email=user.email)
        with self.assertRaises(auth.UidAlreadyExistsError):
            auth.create_user(uid=user.uid)
        with self.assertRaises(auth.PhoneNumberAlreadyExistsError):
            auth.create_user(phone_number=number)
        for find in (
            lambda: auth.get_user("nobody"), lambda: auth.get_user_by_email(new_email()),
            lambda: auth.get_user_by_phone_number(new_number()),
            lambda: auth.update_user("nobody", display_name="x"), lambda: auth.delete_user("nobody"),
        ):
            with self.assertRaises(auth.UserNotFoundError):
                find()

    def test_every_way_to_find_one(self):
        number = new_number()
        user = self.person(phone_number=number)
        link(user.uid, "google.com", "g-1")
        for found in (
            auth.get_user(user.uid), auth.get_user_by_email(user.email.upper()),
            auth.get_user_by_phone_number(number),
        ):
            self.assertEqual(found.uid, user.uid)
        result = auth.get_users([
            auth.UidIdentifier("nobody"), auth.PhoneIdentifier(number),
            auth.ProviderIdentifier("google.com", "g-1"),
        ])
        self.assertEqual([found.uid for found in result.users], [user.uid])
        self.assertEqual([lost.uid for lost in result.not_found], ["nobody"])

    def test_many_are_found_at_once(self):
        users = [self.person() for _ in range(5)]
        wanted = [auth.UidIdentifier(users[0].uid), auth.EmailIdentifier(users[1].email)]
        result = auth.get_users(wanted + [auth.EmailIdentifier(new_email())])
        self.assertEqual({user.uid for user in result.users}, {users[0].uid, users[1].uid})
        self.assertEqual(len(result.not_found), 1)

    def test_pages(self):
        uids = sorted(auth.create_user(uid=f"u{number:02d}").uid for number in range(12))
        first = auth.list_users(max_results=5)
        self.assertEqual([user.uid for user in first.users], uids[:5])
        self.assertTrue(first.has_next_page)
        second = first.get_next_page()
        self.assertEqual([user.uid for user in second.users], uids[5:10])
        self.assertEqual([user.uid for user in auth.list_users(max_results=5).iterate_all()], uids)

    def test_changing_and_taking_away(self):
        user = self.person(phone_number=new_number(), display_name="Ada", photo_url="https://a.example/b")
        email = new_email()
        changed = auth.update_user(
            user.uid, email=email, email_verified=True, password="another horse", display_name="Bo",
            disabled=True)
        self.assertEqual((changed.email, changed.email_verified), (email, True))
        self.assertEqual((changed.display_name, changed.disabled), ("Bo", True))
        with self.assertRaisesRegex(Refused, "USER_DISABLED"):
            self.sign_in(email, "another horse")
        cleared = auth.update_user(
            user.uid, display_name=auth.DELETE_ATTRIBUTE, photo_url=auth.DELETE_ATTRIBUTE,
            phone_number=auth.DELETE_ATTRIBUTE, disabled=False)
        self.assertIsNone(cleared.display_name)
        self.assertIsNone(cleared.photo_url)
        self.assertIsNone(cleared.phone_number)
        self.assertEqual([entry.provider_id for entry in cleared.provider_data], ["password"])
        self.assertEqual(self.sign_in(email, "another horse")["localId"], user.uid)
        with self.assertRaisesRegex(Refused, WRONG_PASSWORD):
            self.sign_in(email, "correct horse")

    def test_claims_are_set_read_from_tokens_and_taken_away(self):
        user = self.person()
        auth.set_custom_user_claims(user.uid, {"role": "editor", "level": 3})
        self.assertEqual(auth.get_user(user.uid).custom_claims, {"role": "editor", "level": 3})
        token = auth.verify_id_token(self.sign_in(user.email, "correct horse")["idToken"])
        self.assertEqual((token["role"], token["level"]), ("editor", 3))
        auth.set_custom_user_claims(user.uid, None)
        self.assertIn(auth.get_user(user.uid).custom_claims, (None, {}))

    def test_linking_and_unlinking_a_provider(self):
        user = self.person()
        linked = link(
            user.uid, "google.com", "g-7", email="ada@gmail.example", displayName="Ada G",
            photoUrl="https://example.com/g.png")
        entry = next(one for one in linked.provider_data if one.provider_id == "google.com")
        self.assertEqual((entry.uid, entry.email), ("g-7", "ada@gmail.example"))
        self.assertEqual((entry.display_name, entry.photo_url), ("Ada G", "https://example.com/g.png"))
        back = auth.update_user(user.uid, providers_to_delete=["google.com"])
        self.assertEqual([one.provider_id for one in back.provider_data], ["password"])

    def test_deleting_one_and_many(self):
        users = [auth.create_user() for _ in range(4)]
        auth.delete_user(users[0].uid)
        result = auth.delete_users([user.uid for user in users[1:]] + ["nobody"])
        self.assertEqual((result.success_count, result.failure_count), (4, 0))
        self.assertEqual(list(auth.list_users().iterate_all()), [])

    def test_a_linked_email_is_a_client_too(self):
        email = new_email()
        uid = post("signUp", email=email, password="correct horse", returnSecureToken=True)["localId"]
        self.assertEqual(auth.get_user_by_email(email).uid, uid)
        self.assertIsNotNone(auth.get_user(uid).user_metadata.last_sign_in_timestamp)

    def test_one_account_is_found_once(self):
        user = self.person(phone_number=new_number())
        result = auth.get_users([
            auth.UidIdentifier(user.uid), auth.UidIdentifier(user.uid), auth.EmailIdentifier(user.email),
            auth.PhoneIdentifier(user.phone_number)])
        self.assertEqual([found.uid for found in result.users], [user.uid])
        self.assertEqual(result.not_found, [])
        self.assertEqual(auth.get_users([]).users, [])
        nobody = auth.get_users([auth.UidIdentifier("nobody")])
        self.assertEqual((nobody.users, len(nobody.not_found)), ([], 1))

    def test_the_last_refresh_is_shown(self):
        user = self.person()
        self.assertIsNone(auth.get_user(user.uid).user_metadata.last_refresh_timestamp)
        session = self.sign_in(user.email, "correct horse")
        first = auth.get_user(user.uid).user_metadata.last_refresh_timestamp
        self.assertLess(abs(first - time.time() * 1000), 60_000)
        self.assertEqual(renew(session["refreshToken"])["user_id"], user.uid)
        self.assertGreaterEqual(auth.get_user(user.uid).user_metadata.last_refresh_timestamp, first)

    def test_deletions_say_the_same_twice(self):
        uid = auth.create_user().uid
        for _ in range(2):
            result = auth.delete_users([uid])
            self.assertEqual((result.success_count, result.failure_count), (1, 0))

    def test_listed_accounts_have_what_exports_need(self):
        user = self.person(display_name="Ada")
        listed = next(iter(auth.list_users().iterate_all()))
        self.assertIsInstance(listed, auth.ExportedUserRecord)
        self.assertEqual((listed.uid, listed.display_name), (user.uid, "Ada"))
        self.assertTrue(listed.password_hash)

    def test_arguments_are_refused_with_their_error(self):
        user = self.person()
        for wrong in (
            lambda: as_admin("/accounts:update", localId=user.uid, email="no address"),
            lambda: as_admin("/accounts:update", localId=user.uid, phoneNumber="5"),
            lambda: as_admin("/accounts:update", localId=user.uid, password="x"),
        ):
            with self.assertRaisesRegex(Refused, "INVALID_EMAIL|INVALID_PHONE_NUMBER|WEAK_PASSWORD"):
                wrong()
        # The emulator takes any text for the name of the last account of a page.
        if not EMULATED:
            with self.assertRaises(exceptions.InvalidArgumentError):
                auth.list_users(page_token="no page")

    @only_in_production
    def test_a_password_before_an_address(self):
        user = auth.create_user(password="correct horse")
        self.assertIsNone(user.email)
        email = new_email()
        auth.update_user(user.uid, email=email)
        self.assertEqual(self.sign_in(email, "correct horse")["localId"], user.uid)
