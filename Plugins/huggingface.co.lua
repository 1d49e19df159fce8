-- Hugging Face: OpenID Connect.
--
-- Facts: Hugging Face's documentation "Sign in with Hugging Face" (huggingface/hub-docs, oauth.md).
-- An admin creates an OAuth app in the settings of an account or organization with the scopes openid, profile and
-- email, and takes its client ID and secret. A public app has no secret.
return provider {
  id = "huggingface.co",
  name = "Hugging Face",
  kind = "oidc",
  documentation = "https://huggingface.co/docs/hub/oauth",
  notes = "User names can change. Keys come from the discovery document. Not confirmed: the signature algorithm, and "
    .. "that ID tokens repeat the nonce.",
  hosts = { "huggingface.co" },
  issuer = "https://huggingface.co",
  authorize = "https://huggingface.co/oauth/authorize",
  token = "https://huggingface.co/oauth/token",
  userinfo = "https://huggingface.co/oauth/userinfo",
  clientAuthentication = "post",
}
