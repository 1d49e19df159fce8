-- Policies in a chain, with shared functions: a refusal of any of them wins, and the last one that merges decides
-- how. So "no staff" is written once.

local people = include "shared/people.lua"

local function notBlocked(conflict)
  if people.isBlocked(conflict.current) or people.isBlocked(conflict.existing) then
    return refuse("a blocked account is not merged", { code = "blocked" })
  end
end

local function apart(conflict)
  if people.separate[conflict.project] then return review "this project's customers stay apart" end
end

return policy {
  name = "one-team",
  on = { "credential-already-in-use", "email-already-in-use" },
  decide = chain { include "never-staff.lua", notBlocked, apart, include "payer-stays.lua" },

  examples = {
    {
      name = "the last policy decides how",
      current = { createdAt = 2, customClaims = { plan = "pro" } },
      existing = { createdAt = 1, customClaims = { plan = "free" } },
      expect = { into = "current", customClaims = { plan = "pro" } },
    },
    {
      name = "the older account, if both pay the same",
      current = { createdAt = 2 }, existing = { createdAt = 1 },
      expect = { into = "existing" },
    },
    {
      name = "a refusal of the first one wins",
      current = { createdAt = 2, customClaims = { role = "admin", plan = "pro" } },
      existing = { createdAt = 1 },
      expect = { refuse = "by hand", code = "staff" },
    },
    {
      name = "so does that of a function",
      current = {}, existing = { customClaims = { blocked = true } },
      expect = { refuse = "blocked", code = "blocked" },
    },
    {
      name = "whichever account is blocked",
      current = { customClaims = { blocked = true } }, existing = {},
      expect = { refuse = "blocked" },
    },
    {
      name = "a refusal comes before a review", project = "shop",
      current = {}, existing = { customClaims = { role = "staff" } },
      expect = { refuse = "by hand" },
    },
    {
      name = "a review comes before a merge", project = "shop",
      current = {}, existing = {},
      expect = { review = "stay apart" },
    },
    {
      name = "an admin has approved", project = "shop", session = { approved = true },
      current = { createdAt = 2 }, existing = { createdAt = 1 },
      expect = { into = "existing" },
    },
  },
}
