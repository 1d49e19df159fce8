extension PluginWord {
  /// The words about tokens and signatures.
  static let tokens = [
    PluginWord(
      .tokens, "jwt.verify",
      forms: ["jwt.verify(\"login\", credential.idToken, { nonce = …, accessToken = … })"],
      "Verifies a token by a declaration in tokens, and returns its claims. The token can sign in once, "
        + "and for ten to twenty minutes again from the same network."),
    PluginWord(
      .tokens, "verify.rsa",
      forms: [
        "verify.rsa(key, bytes, signature)",
        "verify.rsa(key, bytes, signature, { hash = \"sha512\", padding = \"pss\" })",
      ],
      "Tells whether a signature over bytes is the key's: true or false, or nil and a message for a key that cannot be "
        + "used. hash is sha256 (the default), sha384 or sha512, padding pkcs1 (the default) or pss. The key is PEM or "
        + "DER of a public key or an X.509 certificate, or a JSON Web Key as a table or text, with 2048 bits or more. "
        + "A certificate only carries its key: take it from the vendor's host. It is refused outside its validity. "
        + "Keys, bytes and signatures can be secrets, as bytes and not as base64."),
    PluginWord(
      .tokens, "verify.ecdsa",
      forms: [
        "verify.ecdsa(key, bytes, signature)",
        "verify.ecdsa(key, bytes, signature, { hash = \"sha384\", form = \"raw\" })",
      ],
      "Tells the same of an ECDSA signature. The hash decides the curve: sha256 (the default) P-256, sha384 P-384, "
        + "sha512 P-521. form is der (the default), or raw for both numbers one after the other."),
    PluginWord(
      .tokens, "verify.ed25519", forms: ["verify.ed25519(key, bytes, signature)"],
      "Tells the same of an Ed25519 signature of 64 bytes. The key can also be its 32 bytes."),
    PluginWord(
      .tokens, "jwt.events",
      forms: [
        "events = function(request) return jwt.events(\"security\", request.body) end",
        "local claims = jwt.event(\"security\", request.body)",
      ],
      "Verifies a token that reports events (RFC 8417) by a declaration in tokens: issuer, audience, signature, iat of "
        + "the last seven days and jti. jwt.events returns the events of RISC, CAEP and back-channel logout in the form "
        + "that events returns; jwt.event returns the claims, for a vendor with events of its own. An ID token is "
        + "refused, and jwt.verify refuses a token with events."),
    PluginWord(
      .tokens, "jwt.sign",
      forms: ["jwt.sign { key = settings.privateKey, keyID = \"…\", claims = { … } }"],
      "Signs claims with a secret PEM key, by ES256 or RS256 according to the key. Returns an opaque token."
    ),
    PluginWord(
      .tokens, "oauth.exchange",
      forms: [
        "oauth.exchange(credential, { token = \"https://…\", clientID = …, clientSecret = … })"
      ],
      "Exchanges an authorization code. Returns every member of the answer under the vendor's name, and accessToken, "
        + "idToken and refreshToken. Tokens and secrets are opaque values."
    ),
  ]
}
