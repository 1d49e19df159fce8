-- Merges only for a session that has shown a second factor in the last ten minutes. The client is told to sign in
-- again, and repeats the link afterwards.

return policy {
  name = "second-factor",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local keep, absorb = oldest(conflict.current, conflict.existing)
    return require "second factor" or require("recent login", { seconds = 600 })
      or merge { into = keep, from = absorb, fields = { customClaims = "union" } }
  end,

  examples = {
    {
      name = "a session without a second factor",
      current = { multiFactor = { "totp" } }, existing = {},
      expect = { require = "second factor" },
    },
    {
      name = "a session that is older than ten minutes", now = "2026-05-01T12:10:01Z",
      current = {}, existing = {},
      session = { secondFactor = true, signedInAt = "2026-05-01T12:00:00Z" },
      expect = { require = "recent login" },
    },
    {
      name = "both are met", now = "2026-05-01T12:10:00Z",
      current = { createdAt = 2, email = "ada@example.com", emailVerified = true,
        multiFactor = { "totp" } },
      existing = { createdAt = 1 },
      session = { secondFactor = true, signedInAt = "2026-05-01T12:00:00Z" },
      expect = { into = "existing", email = "ada@example.com" },
    },
  },
}
