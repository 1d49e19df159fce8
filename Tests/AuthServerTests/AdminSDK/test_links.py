"""Links by e-mail that an admin makes, and what they do."""

import urllib.parse

from firebase_admin import auth, exceptions
from support import AccountTests, Refused, as_admin, code, new_email, only_in_production, post

SETTINGS = auth.ActionCodeSettings(url="http://localhost/after", handle_code_in_app=True)


class Links(AccountTests):
    def test_a_password_reset(self):
        user = self.person()
        link = auth.generate_password_reset_link(user.email)
        self.assertEqual(post("resetPassword", oobCode=code(link))["email"], user.email)
        post("resetPassword", oobCode=code(link), newPassword="another horse")
        self.assertEqual(self.sign_in(user.email, "another horse")["localId"], user.uid)
        with self.assertRaisesRegex(Refused, "INVALID_OOB_CODE"):
            post("resetPassword", oobCode=code(link), newPassword="a third horse")

    def test_a_verification(self):
        user = self.person()
        link = auth.generate_email_verification_link(user.email, SETTINGS)
        self.assertIn("continueUrl", link)
        post("update", oobCode=code(link))
        self.assertTrue(auth.get_user(user.uid).email_verified)

    def test_a_sign_in(self):
        user = self.person()
        link = auth.generate_sign_in_with_email_link(user.email, SETTINGS)
        answer = post("signInWithEmailLink", email=user.email, oobCode=code(link))
        self.assertEqual(answer["localId"], user.uid)
        self.assertTrue(auth.get_user(user.uid).email_verified)

    def test_nobody_to_reset_a_password_of(self):
        with self.assertRaises(auth.EmailNotFoundError):
            auth.generate_password_reset_link("nobody@example.com")

    def test_a_password_reset_with_settings_verifies_the_address(self):
        user = self.person()
        link = auth.generate_password_reset_link(user.email, SETTINGS)
        self.assertIn("continueUrl=http%3A%2F%2Flocalhost%2Fafter", link)
        post("resetPassword", oobCode=code(link), newPassword="another horse")
        self.assertTrue(auth.get_user(user.uid).email_verified)

    def test_a_sign_in_of_a_new_person(self):
        email = new_email()
        link = auth.generate_sign_in_with_email_link(email, SETTINGS)
        answer = post("signInWithEmailLink", email=email, oobCode=code(link))
        self.assertTrue(answer["isNewUser"])
        self.assertEqual(auth.get_user_by_email(email).uid, answer["localId"])

    def test_the_app_of_a_link_is_in_it(self):
        user = self.person()
        link = auth.generate_sign_in_with_email_link(user.email, auth.ActionCodeSettings(
            url="http://localhost/after", handle_code_in_app=True, ios_bundle_id="com.example.ios",
            android_package_name="com.example.android", android_install_app=True,
            android_minimum_version="12"))
        self.assertTrue(code(link))

    @only_in_production
    def test_a_foreign_domain_is_refused(self):
        user = self.person()
        with self.assertRaisesRegex(exceptions.InvalidArgumentError, "UNAUTHORIZED_DOMAIN|not authorized"):
            auth.generate_email_verification_link(
                user.email, auth.ActionCodeSettings(url="https://evil.example/"))
        with self.assertRaises(auth.InvalidHostingLinkDomainError):
            auth.generate_sign_in_with_email_link(user.email, auth.ActionCodeSettings(
                url="http://localhost/after", handle_code_in_app=True, link_domain="evil.example"))

    def test_the_page_to_return_to_is_in_the_link_unchanged(self):
        user = self.person()
        page = "http://localhost/after?a=1&b=5#f=1"
        for make in (auth.generate_password_reset_link, auth.generate_email_verification_link):
            link = make(user.email, auth.ActionCodeSettings(page))
            query = urllib.parse.parse_qs(urllib.parse.urlparse(link).query)
            self.assertEqual(query["continueUrl"], [page])

    @only_in_production
    def test_there_are_no_dynamic_links(self):
        user = self.person()
        with self.assertWarns(DeprecationWarning):
            settings = auth.ActionCodeSettings(
                "http://localhost/after", handle_code_in_app=True, dynamic_link_domain="shop.page.link")
        with self.assertRaises(auth.InvalidDynamicLinkDomainError):
            auth.generate_sign_in_with_email_link(user.email, settings)

    @only_in_production
    def test_links_lead_to_a_domain_of_the_project(self):
        def domains(*names: str) -> None:
            as_admin(
                "/config?updateMask=mobileLinksConfig.linkDomains", "PATCH", "v2",
                mobileLinksConfig={"linkDomains": list(names)})

        domains("links.example.com")
        self.addCleanup(domains)
        user = self.person()
        link = auth.generate_sign_in_with_email_link(user.email, auth.ActionCodeSettings(
            "http://localhost/after", handle_code_in_app=True, link_domain="links.example.com"))
        self.assertEqual(urllib.parse.urlparse(link).hostname, "links.example.com")
        answer = post("signInWithEmailLink", email=user.email, oobCode=code(link))
        self.assertEqual(answer["localId"], user.uid)
