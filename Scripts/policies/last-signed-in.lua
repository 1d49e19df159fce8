-- Keeps the account that signed in last, as the person knows that one. A visitor never absorbs a member.

local function lastUse(account)
  if account.isAnonymous then return -1 end
  return account.lastSignInAt or account.createdAt
end

return policy {
  name = "last-signed-in",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local keep, absorb = oldest(conflict.current, conflict.existing)
    if lastUse(absorb) > lastUse(keep) then keep, absorb = absorb, keep end
    return merge { into = keep, from = absorb, fields = { customClaims = "union-or-refuse" } }
  end,

  examples = {
    {
      name = "the account that signed in last stays",
      current = { createdAt = 1, lastSignInAt = 10 }, existing = { createdAt = 2, lastSignInAt = 20 },
      expect = { into = "existing", createdAt = 1, lastSignInAt = 20 },
    },
    {
      name = "an account without a sign-in counts from its creation",
      current = { createdAt = 30 }, existing = { createdAt = 2, lastSignInAt = 20 },
      expect = { into = "current" },
    },
    {
      name = "of two that signed in at the same time the older stays",
      current = { createdAt = 2, lastSignInAt = 20 }, existing = { createdAt = 1, lastSignInAt = 20 },
      expect = { into = "existing" },
    },
    {
      name = "a visitor gives way, however new",
      current = { createdAt = 3, lastSignInAt = 99, isAnonymous = true },
      existing = { createdAt = 1, lastSignInAt = 20 },
      expect = { into = "existing", lastSignInAt = 99 },
    },
    {
      name = "claims that differ are left to an admin",
      current = { customClaims = { role = "editor" } }, existing = { customClaims = { role = "author" } },
      expect = { refuse = "role", code = "claims-differ" },
    },
  },
}
