-- The older account stays, and takes up another one at most once in 30 days. A thief who joins accounts one after the
-- other is stopped after the first.

local month = 30 * 24 * 60 * 60 * 1000

-- The newest merge comes first.
local function wasMerged(account)
  local last = account.absorbed[1]
  return last ~= nil and time.now() - last.at < month
end

return policy {
  name = "one-merge-a-month",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local older, newer = oldest(conflict.current, conflict.existing)
    if wasMerged(older) or wasMerged(newer) then
      return refuse("one of the accounts was merged within 30 days", { code = "merged-lately" })
    end
    return merge { into = older, from = newer, fields = { customClaims = "union-or-refuse" } }
  end,

  examples = {
    {
      name = "the first merge is made", now = "2026-05-31",
      current = { createdAt = "2026-05-01" }, existing = { createdAt = "2023-01-01" },
      expect = { into = "existing" },
    },
    {
      name = "a second one within 30 days is not", now = "2026-05-31",
      current = { createdAt = "2026-05-01" },
      existing = { createdAt = "2023-01-01", absorbed = { "2026-05-02" } },
      expect = { refuse = "within 30 days", code = "merged-lately" },
    },
    {
      name = "whichever of the two was merged", now = "2026-05-31",
      current = { createdAt = "2026-05-01", absorbed = { { uid = "u3", at = "2026-05-30" } } },
      existing = { createdAt = "2023-01-01" },
      expect = { refuse = "within 30 days", code = "merged-lately" },
    },
    {
      name = "after 30 days the next one is made", now = "2026-05-31",
      current = { createdAt = "2026-05-01" },
      existing = { createdAt = "2023-01-01", absorbed = { "2026-05-01", "2024-02-29" } },
      expect = { into = "existing" },
    },
  },
}
