-- Keeps the account with the better plan, so that its invoices and limits go on. The result has the better plan
-- and the higher number of seats; any other claim that differs is left to an admin.

local plans = { "free", "pro", "team", "enterprise" }
local ranks = {}
for rank, plan in ipairs(plans) do ranks[plan] = rank end

local function rank(account) return ranks[claim(account, "plan")] or 0 end

return policy {
  name = "payer-stays",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local keep, absorb = oldest(conflict.current, conflict.existing)
    if rank(absorb) > rank(keep) then keep, absorb = absorb, keep end
    return merge {
      into = keep,
      from = absorb,
      fields = { customClaims = { plan = plans, seats = "highest", default = "union-or-refuse" } },
    }
  end,

  examples = {
    {
      name = "the payer stays although the account is newer",
      current = { createdAt = 2, customClaims = { plan = "pro", seats = 3 } },
      existing = { createdAt = 1, customClaims = { plan = "free", seats = 1, beta = true } },
      expect = { into = "current", customClaims = { plan = "pro", seats = 3, beta = true } },
    },
    {
      name = "seats are counted by themselves",
      current = { createdAt = 2, customClaims = { plan = "free", seats = 9 } },
      existing = { createdAt = 1, customClaims = { plan = "team", seats = 5 } },
      expect = { into = "existing", customClaims = { plan = "team", seats = 9 } },
    },
    {
      name = "of two without a plan the older stays",
      current = { createdAt = 2 }, existing = { createdAt = 1 },
      expect = { into = "existing", customClaims = json.null },
    },
    {
      name = "no role is gained by a merge",
      current = { customClaims = { roles = { "admin" } } },
      existing = { customClaims = { roles = { "viewer" } } },
      expect = { refuse = "roles", code = "claims-differ" },
    },
    {
      name = "an unknown plan is left to an admin",
      current = { customClaims = { plan = "gold" } }, existing = { customClaims = { plan = "pro" } },
      expect = { refuse = "plan", code = "claims-differ" },
    },
  },
}
