extension PluginWord {
  /// Hashes, addresses and other values.
  static let values = [
    PluginWord(
      .values, "hash.sha256", forms: ["hash.sha256(text)", "hash.sha512(text, \"base64url\")"],
      "Returns a digest as hex (the default), base64 or base64url. The digest of a secret is an opaque secret: of "
        + "bytes, or of a text if the format is given."
    ),
    PluginWord(
      .values, "hash.sha1", forms: ["hash.sha1(text)", "hash.md5(text, \"base64\")"],
      "Returns a digest like hash.sha256, for protocols that demand it, such as OAuth 1.0a. Two texts with one digest "
        + "can be made, so these digests prove nothing by themselves."),
    PluginWord(
      .values, "hash.hmac",
      forms: [
        "hash.hmac(\"sha256\", settings.clientSecret, text)",
        "hash.hmac(\"sha1\", settings.clientSecret, text, \"base64\")",
      ],
      "Returns a message authentication code with sha256 or sha512, or with sha1 or md5 for protocols that demand them. "
        + "The last argument is hex (the default), base64 or base64url. The key can be a secret. The code of a secret "
        + "text under a key that is none is an opaque secret."),
    PluginWord(
      .values, "hash.equals", forms: ["hash.equals(given, expected)"],
      "Compares two texts or secrets in constant time."),
    PluginWord(
      .values, "secret.join",
      forms: [
        "secret.join(settings.clientSecret, \"&\", credential.tokenSecret)",
        "hash.md5(secret.join(parameters, settings.clientSecret), \"hex\")",
      ],
      "Returns one secret of up to 16 texts and secrets, such as the key of OAuth 1.0a. A secret never becomes a text: "
        + "the operator .., tostring and string.format fail. It can be sent by http, be a key or the content of hash, and be "
        + "escaped by url.escape, which returns a secret too."),
    PluginWord(
      .values, "url",
      forms: ["url.escape(text)", "url.form(fields)", "url.query(text)", "url.parse(address)"],
      "Writes and reads addresses. parse returns scheme, host, port, path and query."),
    PluginWord(
      .values, "base64",
      forms: [
        "base64.encode(text)", "base64.decode(text)", "base64.encodeURL(text)",
        "base64.decodeURL(text)",
      ],
      "Encodes and decodes base64 and base64url."),
    PluginWord(
      .values, "json", forms: ["json.encode(value)", "json.decode(text)", "json.null"],
      "Writes and reads JSON. Names are written in alphabetical order. A value without a form in JSON is an error "
        + "that names its place: a function, a number that is not finite, a list with holes, a key that is not a text, "
        + "bytes that are not UTF-8."
    ),
    PluginWord(
      .values, "time", forms: ["time.now()", "time.format(milliseconds)", "time.parse(text)"],
      "Returns, writes and reads a time: milliseconds since 1970, and texts of RFC 3339."),
  ]
}
