-- Keeps the account that was used last. If both were used within a month, the person may remember both of them,
-- and an admin decides.

local month = 30 * 24 * 60 * 60 * 1000

local function lastUse(account) return account.lastSignInAt or account.createdAt end

return policy {
  name = "active-wins",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local keep, absorb = conflict.current, conflict.existing
    if lastUse(absorb) > lastUse(keep) then keep, absorb = absorb, keep end
    if time.now() - lastUse(absorb) <= month then
      log.info("both were used within a month: " .. keep.uid .. ", " .. absorb.uid)
      return refuse "both accounts are in use"
    end
    return merge { into = keep, from = absorb, fields = { customClaims = "union" } }
  end,

  examples = {
    {
      name = "an account that was not used for a month gives way", now = "2026-06-30T12:00:00Z",
      current = { lastSignInAt = "2026-06-30T11:59:00Z" },
      existing = { createdAt = "2025-01-01", lastSignInAt = "2026-05-31T11:59:59Z" },
      expect = { into = "current" },
    },
    {
      name = "so does the current one", now = "2026-06-30T12:00:00Z",
      current = { createdAt = "2026-01-01" }, existing = { lastSignInAt = "2026-06-29" },
      expect = { into = "existing" },
    },
    {
      name = "within the month an admin decides", now = "2026-06-30T12:00:00Z",
      current = { lastSignInAt = "2026-06-30T11:59:00Z" },
      existing = { lastSignInAt = "2026-05-31T12:00:00Z" },
      expect = { refuse = "in use" },
    },
  },
}
