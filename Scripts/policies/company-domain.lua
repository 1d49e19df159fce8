-- Merges accounts of the company: a Google credential of its Workspace (the claim hd), or two accounts that both
-- have verified an address of its domain. Apple's relay address says nothing about a person, so an admin looks.

local company = "corp.example"

local function isOfCompany(account)
  return account.emailVerified and domain(account) == company
end

return policy {
  name = "company-domain",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local credential = conflict.credential
    local keep, absorb = oldest(conflict.current, conflict.existing)
    local answer = merge { into = keep, from = absorb, fields = { customClaims = "union-or-refuse" } }
    if domain(credential.email) == "privaterelay.appleid.com" then
      return review "a relay address of Apple" or answer
    end
    local isWorkspace = credential.providerID == "google.com" and credential.claims.hd == company
    if isWorkspace or isOfCompany(keep) and isOfCompany(absorb) then return answer end
    return refuse("only accounts of " .. company .. " are merged", { code = "other-company" })
  end,

  examples = {
    {
      name = "a credential of the Workspace", provider = "google.com",
      credential = { email = "ada@corp.example", claims = { hd = "corp.example" } },
      current = { createdAt = 2 }, existing = { createdAt = 1, providerData = { "google.com" } },
      expect = { into = "existing" },
    },
    {
      name = "another provider's claim of that name does not count", provider = "oidc.shop",
      credential = { claims = { hd = "corp.example" } }, current = {}, existing = {},
      expect = { refuse = "corp.example", code = "other-company" },
    },
    {
      name = "another Workspace", provider = "google.com",
      credential = { claims = { hd = "other.example" } }, current = {}, existing = {},
      expect = { refuse = "corp.example", code = "other-company" },
    },
    {
      name = "two verified addresses of the company", operation = "merge",
      current = { createdAt = 2, email = "ada@corp.example", emailVerified = true },
      existing = { createdAt = 1, email = "a.lovelace@corp.example", emailVerified = true },
      expect = { into = "existing" },
    },
    {
      name = "one address of another domain is too few", operation = "merge",
      current = { email = "ada@corp.example", emailVerified = true },
      existing = { email = "ada@shop.example", emailVerified = true },
      expect = { refuse = "corp.example" },
    },
    {
      name = "a relay address waits", provider = "apple.com",
      credential = { email = "x7k2@privaterelay.appleid.com" }, current = {}, existing = {},
      expect = { review = "relay" },
    },
    {
      name = "until an admin approves", provider = "apple.com", session = { approved = true },
      credential = { email = "x7k2@privaterelay.appleid.com" },
      current = { createdAt = 2 }, existing = { createdAt = 1 },
      expect = { into = "existing" },
    },
  },
}
