"""Tells Firebase's Admin SDK for Python where a server is; nothing else of the SDK is changed."""

import google.auth.credentials
from firebase_admin import _auth_providers, _token_gen, _user_mgt, tenant_mgt


def point_to(server: str) -> None:
    """Call this before the first app is made; the address is that of publicURL."""
    toolkit = f"{server}/identitytoolkit.googleapis.com"
    _user_mgt.UserManager.ID_TOOLKIT_URL = f"{toolkit}/v1"
    _token_gen.TokenGenerator.ID_TOOLKIT_URL = f"{toolkit}/v1"
    _auth_providers.ProviderConfigClient.PROVIDER_CONFIG_URL = f"{toolkit}/v2"
    tenant_mgt._TenantManagementService.TENANT_MGT_URL = f"{toolkit}/v2"
    _token_gen.ID_TOKEN_CERT_URI = (
        f"{server}/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com")
    _token_gen.COOKIE_CERT_URI = f"{server}/identitytoolkit/v3/relyingparty/publicKeys"
    # google-auth asks a service of Google for the regions of each account, with the account's access token.
    regional = getattr(google.auth.credentials, "CredentialsWithRegionalAccessBoundary", None)
    if regional is not None:
        regional._is_regional_access_boundary_lookup_required = lambda self: False
