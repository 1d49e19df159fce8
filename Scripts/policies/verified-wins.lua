-- Keeps the account that has verified its e-mail address; if both or none have, the one opened first.
-- A name that was typed in by hand is preferred to one that only repeats the address.

local function decideName(kept, other)
  if kept and not kept:find("@", 1, true) then return kept end
  return other or kept
end

return policy {
  name = "verified-wins",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local keep, absorb = oldest(conflict.current, conflict.existing)
    if absorb.emailVerified and not keep.emailVerified then keep, absorb = absorb, keep end
    return merge {
      into = keep,
      from = absorb,
      fields = { displayName = decideName, customClaims = "union" },
    }
  end,

  examples = {
    {
      name = "verified beats older",
      current = { createdAt = 2, email = "ada@example.com", emailVerified = true },
      existing = { createdAt = 1, email = "ada@example.com" },
      expect = { into = "current" },
    },
    {
      name = "of two unverified ones the older stays",
      current = { createdAt = 2 }, existing = { createdAt = 1 },
      expect = { into = "existing" },
    },
    {
      name = "of two verified ones the older stays, with its own name",
      current = { createdAt = 2, email = "a@example.com", emailVerified = true, displayName = "A." },
      existing = {
        createdAt = 1, email = "ada@example.com", emailVerified = true, displayName = "Ada Lovelace",
      },
      expect = { into = "existing", displayName = "Ada Lovelace" },
    },
    {
      name = "a real name beats an address",
      current = { createdAt = 2, displayName = "Ada Lovelace" },
      existing = { createdAt = 1, displayName = "ada@example.com" },
      expect = { into = "existing", displayName = "Ada Lovelace" },
    },
  },
}
