/// A plug-in whose vendor signs a form in base64 with a shared secret, as forums do, and its fixtures.
enum SealedPlugin {
  static let text = """
    return provider {
      id = "forum.example", name = "Forum", kind = "custom",
      documentation = "https://forum.example/docs", hosts = {},
      settings = { secret = setting.secret { "the shared secret", required = true } },
      credentials = { login = { sso = field.text "the payload", sig = field.secret "the signature" } },
      verify = function(credential, http, settings)
        local signature = hash.hmac("sha256", settings.secret, credential.sso, "hex")
        if not hash.equals(credential.sig, signature) then
          refuse { "The signature is wrong.", field = "sig", step = "credential" }
        end
        local fields = url.query(base64.decode(credential.sso))
        local signedAt = (fields.time or ""):match "^%d+$"
        local age = signedAt and #signedAt <= 12 and time.now() / 1000 - tonumber(signedAt)
        if not age or age > 300 or age < -60 then
          refuse { "The answer is too old.", field = "sso", step = "credential" }
        end
        once("forum " .. signature, 360)
        return identity {
          subject = fields.external_id, displayName = fields.name, email = fields.email,
          emailVerified = fields.verified == "true",
        }
      end,
    }
    """

  static let described = """
    {
      "settings": { "secret": "the-shared-secret" },
      "scenarios": [
        {
          "name": "a payload",
          "credential": { "builder": "login", "sso": "{payload sso}", "sig": "{hmac sig}" },
          "payload": {
            "sso": {
              "form": {
                "external_id": "70001", "name": "Ada", "email": "ada@example.com",
                "verified": "true", "time": "{now-20}"
              },
              "as": "base64"
            }
          },
          "hmac": { "sig": { "key": "{secret}", "over": "{payload sso}" } },
          "expect": {
            "identity": {
              "subject": "70001", "displayName": "Ada", "email": "ada@example.com",
              "emailVerified": true
            }
          }
        }
      ]
    }
    """

  /// The same without a description: `external_id=70001&name=Ada&time=1793534380`, signed elsewhere.
  static let literal = """
    {
      "settings": { "secret": "the-shared-secret" },
      "scenarios": [
        {
          "name": "a payload",
          "credential": {
            "builder": "login", "sso": "ZXh0ZXJuYWxfaWQ9NzAwMDEmbmFtZT1BZGEmdGltZT0xNzkzNTM0Mzgw",
            "sig": "31ddcd1e473c86cabb8c60bc5d4e396df1d4b51bbb3f52b89c8f41f3c19603d3"
          },
          "expect": { "identity": { "subject": "70001", "displayName": "Ada", "email": null } }
        }
      ]
    }
    """
}
