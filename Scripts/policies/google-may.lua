-- A link by Google may merge, one by any other provider may not. In a person's own merge nobody links anything;
-- there it counts whether one of the accounts has a way in by Facebook, whichever of them is signed in with it.

return policy {
  name = "google-may",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local keep, absorb = oldest(conflict.current, conflict.existing)
    local isLink = conflict.operation == "link"
    if isLink and conflict.provider ~= "google.com" then
      return refuse("only Google links may merge", { code = "other-provider" })
    end
    if not isLink and (has(keep, "facebook.com") or has(absorb, "facebook.com")) then
      return refuse("accounts of Facebook stay apart", { code = "other-provider" })
    end
    return merge { into = keep, from = absorb, fields = { customClaims = "union" } }
  end,

  examples = {
    {
      name = "Google may", provider = "google.com",
      current = { createdAt = 2 }, existing = { createdAt = 1, providerData = { "google.com" } },
      expect = { into = "existing" },
    },
    {
      name = "Facebook may not", provider = "facebook.com",
      current = { createdAt = 2 }, existing = { createdAt = 1, providerData = { "facebook.com" } },
      expect = { refuse = "Google", code = "other-provider" },
    },
    {
      name = "in an own merge the session's provider does not matter", operation = "merge",
      provider = "google.com",
      current = { providerData = { "facebook.com" } }, existing = { providerData = { "google.com" } },
      expect = { refuse = "Facebook", code = "other-provider" },
    },
    {
      name = "nor which account is to stay", operation = "merge", provider = "facebook.com",
      current = { createdAt = 2, providerData = { "google.com" } },
      existing = { createdAt = 1, providerData = { "facebook.com" } },
      expect = { refuse = "Facebook" },
    },
    {
      name = "nor which of them is older", operation = "merge", provider = "google.com",
      current = { createdAt = 2, providerData = { "facebook.com" } },
      existing = { createdAt = 1, providerData = { "google.com" } },
      expect = { refuse = "Facebook" },
    },
    {
      name = "an own merge without Facebook", operation = "merge", provider = "password",
      current = { createdAt = 2, providerData = { "google.com" } }, existing = { createdAt = 1 },
      expect = { into = "existing" },
    },
  },
}
