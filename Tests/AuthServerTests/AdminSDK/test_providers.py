"""Configurations of OpenID providers and SAML providers, of the project and of a tenant."""

import uuid

from firebase_admin import auth, exceptions, tenant_mgt
from support import AccountTests, only_in_production

CERTIFICATES = [
    "-----BEGIN CERTIFICATE-----\nTUlJQ29uZQ==\n-----END CERTIFICATE-----",
    "-----BEGIN CERTIFICATE-----\nTUlJQ3R3bw==\n-----END CERTIFICATE-----",
]


@only_in_production
class Providers(AccountTests):
    def clients(self) -> dict:
        tenant = tenant_mgt.create_tenant(display_name="berlin", allow_password_sign_up=True)
        self.addCleanup(tenant_mgt.delete_tenant, tenant.tenant_id)
        return {"project": auth, "tenant": tenant_mgt.auth_for_tenant(tenant.tenant_id)}

    def test_an_openid_provider_is_made_read_changed_and_deleted(self):
        for name, client in self.clients().items():
            with self.subTest(name):
                provider = f"oidc.{uuid.uuid4().hex}"
                made = client.create_oidc_provider_config(
                    provider_id=provider, client_id="client", issuer="https://issuer.example",
                    display_name="Issuer", enabled=True, client_secret="the secret of the client",
                    code_response_type=True, id_token_response_type=False)
                found = client.get_oidc_provider_config(provider)
                for config in (made, found):
                    self.assertEqual((config.provider_id, config.client_id), (provider, "client"))
                    self.assertEqual(
                        (config.issuer, config.display_name), ("https://issuer.example", "Issuer"))
                    self.assertEqual(
                        (config.enabled, config.code_response_type, config.id_token_response_type),
                        (True, True, False))
                    self.assertEqual(config.client_secret, "the secret of the client")
                changed = client.update_oidc_provider_config(
                    provider, client_id="another", issuer="https://other.example",
                    display_name=auth.DELETE_ATTRIBUTE, enabled=False, code_response_type=False,
                    id_token_response_type=True)
                self.assertEqual((changed.client_id, changed.issuer), ("another", "https://other.example"))
                self.assertEqual((changed.display_name, changed.enabled), (None, False))
                self.assertEqual(
                    (changed.code_response_type, changed.id_token_response_type), (False, True))
                client.delete_oidc_provider_config(provider)
                for gone in (
                    lambda: client.get_oidc_provider_config(provider),
                    lambda: client.update_oidc_provider_config(provider, client_id="x"),
                    lambda: client.delete_oidc_provider_config(provider),
                ):
                    with self.assertRaises(auth.ConfigurationNotFoundError):
                        gone()

    def test_openid_providers_come_in_pages(self):
        for name, client in self.clients().items():
            with self.subTest(name):
                providers = sorted(f"oidc.{uuid.uuid4().hex}" for _ in range(3))
                for provider in providers:
                    client.create_oidc_provider_config(
                        provider_id=provider, client_id="client", issuer="https://issuer.example",
                        enabled=False)
                page = client.list_oidc_provider_configs(max_results=2)
                self.assertEqual(len(page.provider_configs), 2)
                self.assertTrue(page.has_next_page)
                listed = [config.provider_id for config in page.iterate_all()]
                self.assertEqual(sorted(set(listed) & set(providers)), providers)
                for provider in providers:
                    client.delete_oidc_provider_config(provider)

    def test_a_saml_provider_is_kept_changed_and_deleted(self):
        for name, client in self.clients().items():
            with self.subTest(name):
                provider = f"saml.{uuid.uuid4().hex}"
                made = client.create_saml_provider_config(
                    provider_id=provider, idp_entity_id="idp", sso_url="https://idp.example/sso",
                    x509_certificates=CERTIFICATES, rp_entity_id="rp",
                    callback_url="https://app.example/__/auth/handler", display_name="IdP", enabled=True)
                found = client.get_saml_provider_config(provider)
                for config in (made, found):
                    self.assertEqual((config.provider_id, config.idp_entity_id), (provider, "idp"))
                    self.assertEqual((config.sso_url, config.rp_entity_id), ("https://idp.example/sso", "rp"))
                    self.assertEqual(config.callback_url, "https://app.example/__/auth/handler")
                    self.assertEqual(config.x509_certificates, CERTIFICATES)
                    self.assertEqual((config.display_name, config.enabled), ("IdP", True))
                changed = client.update_saml_provider_config(
                    provider, sso_url="https://idp.example/other", x509_certificates=CERTIFICATES[:1],
                    enabled=False)
                self.assertEqual((changed.sso_url, changed.enabled), ("https://idp.example/other", False))
                self.assertEqual(changed.x509_certificates, CERTIFICATES[:1])
                self.assertEqual(changed.idp_entity_id, "idp")
                page = client.list_saml_provider_configs(max_results=10)
                self.assertIn(provider, [config.provider_id for config in page.iterate_all()])
                client.delete_saml_provider_config(provider)
                with self.assertRaises(auth.ConfigurationNotFoundError):
                    client.get_saml_provider_config(provider)

    def test_a_provider_exists_once(self):
        provider = f"oidc.{uuid.uuid4().hex}"
        parts = {"provider_id": provider, "client_id": "client", "issuer": "https://issuer.example"}
        auth.create_oidc_provider_config(**parts)
        self.addCleanup(auth.delete_oidc_provider_config, provider)
        with self.assertRaises(exceptions.FirebaseError):
            auth.create_oidc_provider_config(**parts)
