-- Two accounts that are both older than 30 days have a history; an admin looks at them. A newer one is merged at
-- once.

local month = 30 * 24 * 60 * 60 * 1000

return policy {
  name = "old-accounts",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local older, newer = oldest(conflict.current, conflict.existing)
    local answer = merge { into = older, from = newer, fields = { customClaims = "union-or-refuse" } }
    if conflict.now - newer.createdAt <= month then return answer end
    return review "both accounts are older than 30 days" or answer
  end,

  examples = {
    {
      name = "an account of 30 days is merged", now = "2026-05-31",
      current = { createdAt = "2026-05-01" }, existing = { createdAt = "2023-01-01" },
      expect = { into = "existing", createdAt = 1672531200000 },
    },
    {
      name = "two older ones wait", now = "2026-05-31T00:00:00.001Z",
      current = { createdAt = "2026-05-01" }, existing = { createdAt = "2023-01-01" },
      expect = { review = "30 days" },
    },
    {
      name = "until an admin approves", now = "2026-05-31T00:00:00.001Z",
      current = { createdAt = "2023-01-01" }, existing = { createdAt = "2026-05-01" },
      session = { approved = true },
      expect = { into = "current" },
    },
  },
}
