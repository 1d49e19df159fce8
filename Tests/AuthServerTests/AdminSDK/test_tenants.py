"""Tenants: their settings, and that their accounts are their own."""

import time

from firebase_admin import auth, tenant_mgt
from support import AccountTests, code, new_email, only_in_production, post


class Tenants(AccountTests):
    def setUp(self):
        super().setUp()
        for tenant in list(tenant_mgt.list_tenants().iterate_all()):
            tenant_mgt.delete_tenant(tenant.tenant_id)

    def test_a_tenant_is_made_read_changed_listed_and_deleted(self):
        made = tenant_mgt.create_tenant(
            display_name="berlin", allow_password_sign_up=True, enable_email_link_sign_in=True)
        self.assertEqual((made.display_name, made.allow_password_sign_up), ("berlin", True))
        self.assertTrue(made.enable_email_link_sign_in)
        found = tenant_mgt.get_tenant(made.tenant_id)
        self.assertEqual(found.display_name, "berlin")
        changed = tenant_mgt.update_tenant(
            made.tenant_id, display_name="paris", allow_password_sign_up=False)
        self.assertEqual((changed.display_name, changed.allow_password_sign_up), ("paris", False))
        self.assertTrue(changed.enable_email_link_sign_in)
        ids = [made.tenant_id] + [tenant_mgt.create_tenant(display_name=f"team-{n}").tenant_id for n in range(3)]
        page = tenant_mgt.list_tenants(max_results=3)
        self.assertEqual(len(page.tenants), 3)
        self.assertTrue(page.has_next_page)
        self.assertEqual(sorted(t.tenant_id for t in page.iterate_all()), sorted(ids))
        tenant_mgt.delete_tenant(made.tenant_id)
        self.assertNotIn(made.tenant_id, [t.tenant_id for t in tenant_mgt.list_tenants().iterate_all()])

    def test_accounts_are_the_tenants_own(self):
        tenant = tenant_mgt.create_tenant(display_name="berlin", allow_password_sign_up=True)
        client = tenant_mgt.auth_for_tenant(tenant.tenant_id)
        email = new_email()
        there = client.create_user(email=email, password="correct horse")
        here = auth.create_user(email=email, password="correct horse")
        self.assertEqual(there.tenant_id, tenant.tenant_id)
        self.assertIsNone(here.tenant_id)
        self.assertEqual(client.get_user_by_email(email).uid, there.uid)
        self.assertEqual(auth.get_user_by_email(email).uid, here.uid)
        self.assertEqual([user.uid for user in client.list_users().iterate_all()], [there.uid])
        with self.assertRaises(auth.UserNotFoundError):
            client.get_user(here.uid)
        answer = post(
            "signInWithPassword", email=email, password="correct horse", returnSecureToken=True,
            tenantId=tenant.tenant_id)
        self.assertEqual(answer["localId"], there.uid)
        claims = client.verify_id_token(answer["idToken"], check_revoked=True)
        self.assertEqual(claims["firebase"]["tenant"], tenant.tenant_id)
        other = tenant_mgt.auth_for_tenant(tenant_mgt.create_tenant(display_name="paris").tenant_id)
        with self.assertRaises(tenant_mgt.TenantIdMismatchError):
            other.verify_id_token(answer["idToken"])

    def test_custom_tokens_imports_links_and_deletions_of_a_tenant(self):
        tenant = tenant_mgt.create_tenant(
            display_name="berlin", allow_password_sign_up=True, enable_email_link_sign_in=True)
        client = tenant_mgt.auth_for_tenant(tenant.tenant_id)
        token = client.create_custom_token("ada", {"plan": "gold"})
        answer = post(
            "signInWithCustomToken", token=token.decode(), returnSecureToken=True,
            tenantId=tenant.tenant_id)
        self.assertEqual(client.verify_id_token(answer["idToken"])["plan"], "gold")
        result = client.import_users([
            auth.ImportUserRecord(uid="bo", email=new_email(), email_verified=True)])
        self.assertEqual(result.errors, [])
        email = client.get_user("bo").email
        self.assertIn(tenant.tenant_id, client.generate_email_verification_link(email))
        client.set_custom_user_claims("bo", {"role": "x"})
        client.revoke_refresh_tokens("bo")
        self.assertEqual(client.delete_users(["ada", "bo"]).success_count, 2)

    # The emulator makes a tenant when it is first named.
    @only_in_production
    def test_a_tenant_that_is_not_there(self):
        for find in (
            lambda: tenant_mgt.get_tenant("nothing"),
            lambda: tenant_mgt.update_tenant("nothing", display_name="berlin"),
            lambda: tenant_mgt.delete_tenant("nothing"),
        ):
            with self.assertRaises(tenant_mgt.TenantNotFoundError):
                find()

    def test_sessions_of_a_tenant_end_and_its_links_work(self):
        tenant = tenant_mgt.create_tenant(
            display_name="berlin", allow_password_sign_up=True, enable_email_link_sign_in=True)
        client = tenant_mgt.auth_for_tenant(tenant.tenant_id)
        user = client.create_user(email=new_email(), password="correct horse")
        settings = auth.ActionCodeSettings(url="http://localhost/after", handle_code_in_app=True)
        link = client.generate_sign_in_with_email_link(user.email, settings)
        answer = post(
            "signInWithEmailLink", email=user.email, oobCode=code(link), tenantId=tenant.tenant_id)
        self.assertEqual(answer["localId"], user.uid)
        reset = client.generate_password_reset_link(user.email, settings)
        post("resetPassword", oobCode=code(reset), newPassword="another horse", tenantId=tenant.tenant_id)
        session = post(
            "signInWithPassword", email=user.email, password="another horse", returnSecureToken=True,
            tenantId=tenant.tenant_id)
        client.verify_id_token(session["idToken"], check_revoked=True)
        time.sleep(1.1)
        client.revoke_refresh_tokens(user.uid)
        with self.assertRaises(auth.RevokedIdTokenError):
            client.verify_id_token(session["idToken"], check_revoked=True)
        result = client.get_users([auth.EmailIdentifier(user.email), auth.UidIdentifier("nobody")])
        self.assertEqual([found.uid for found in result.users], [user.uid])
