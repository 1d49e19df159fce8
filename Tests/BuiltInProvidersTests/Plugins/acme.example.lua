-- An OpenID provider as most are: all that is not said comes from its discovery document.
return provider {
  id = "acme.example",
  name = "Acme",
  kind = "oidc",
  hosts = { "id.acme.example" },
  issuer = "https://id.acme.example",
  algorithms = { "ES256" },
}
