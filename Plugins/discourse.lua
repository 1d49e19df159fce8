-- DiscourseConnect: a Discourse forum signs people in.
--
-- Facts: meta.discourse.org, "Use Discourse as an identity provider", and discourse/discourse
-- (lib/discourse_connect_base.rb, lib/discourse_connect_provider.rb).
-- An admin turns on "enable discourse connect provider", adds the app's host with a secret of its own to "discourse
-- connect provider secrets", and gives the forum's address and that secret here.
-- Forum and app sign with the same secret. The forum repeats the nonce, so it holds the time of the request.
local lifetime = 600

return provider {
  id = "discourse",
  name = "Discourse",
  kind = "custom",
  documentation = "https://meta.discourse.org/t/use-discourse-as-an-identity-provider-sso-discourseconnect/32974",
  notes = "For one forum, which an admin names: identifiers of two forums overlap. The forum does not say whether an "
    .. "address is confirmed, so none is verified. Whoever knows the secret can sign in as anyone.",
  hosts = { "{forum}" },
  settings = {
    forum = setting.url { "the forum's address, such as https://forum.example.com", required = true },
    secret = setting.secret { "the secret for this app's host", required = true },
  },
  credentials = {
    authorizationCode = {
      sso = field.text "the parameter sso of the callback",
      sig = field.secret "the parameter sig of the callback",
      nonce = field.secret "the nonce of the request",
    },
  },
  authorize = {
    function(request, settings)
      local mark = request.redirectURI:find("?", 1, true) and "&" or "?"
      local sso = base64.encode(url.form {
        nonce = time.now() // 1000 .. "-" .. request.nonce,
        return_sso_url = request.redirectURI .. mark .. url.form { state = request.state },
      })
      local query = url.form { sso = sso, sig = hash.hmac("sha256", settings.secret, sso) }
      return settings.forum .. "/session/sso_provider?" .. query
    end,
    callback = { sso = "sso", sig = "sig" },
  },

  verify = function(credential, _, settings)
    if not hash.equals(credential.sig, hash.hmac("sha256", settings.secret, credential.sso)) then
      refuse { "The signature is not the forum's.", field = "sig", step = "credential" }
    end
    local answer = url.query(base64.decode((credential.sso:gsub("%s", ""))) or "") or {}
    local signedAt, nonce = (answer.nonce or ""):match "^(%d+)%-(.+)$"
    local age = signedAt and #signedAt <= 12 and time.now() / 1000 - tonumber(signedAt)
    if not age or age > lifetime or age < -60 or not hash.equals(nonce, credential.nonce) then
      refuse { "The answer is not for this sign-in, or too old.", field = "nonce", step = "credential" }
    end
    -- An answer with failed=true, and our own request sent back, name nobody.
    if not (answer.external_id or ""):find "^[1-9]%d*$" then
      refuse { "The forum names nobody.", field = "sso", step = "credential", remedy = "Sign in to the forum." }
    end
    once(answer.nonce, lifetime + 60)
    return identity {
      subject = answer.external_id, email = answer.email, displayName = text(answer, "name") or answer.username,
      photoURL = answer.avatar_url, screenName = answer.username, claims = answer,
    }
  end,
}
