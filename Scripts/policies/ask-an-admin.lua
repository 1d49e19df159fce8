-- Visitors are merged at once. Two members wait in merge.offers() until an admin has looked at them.

return policy {
  name = "ask-an-admin",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local keep, absorb = oldest(conflict.current, conflict.existing)
    if keep.isAnonymous then keep, absorb = absorb, keep end
    local answer = merge { into = keep, from = absorb, fields = { customClaims = "union" } }
    if absorb.isAnonymous then return answer end
    return review "both accounts are members'" or answer
  end,

  examples = {
    {
      name = "two members wait",
      current = { createdAt = 2 }, existing = { createdAt = 1 },
      expect = { review = "members" },
    },
    {
      name = "an admin has approved",
      current = { createdAt = 2 }, existing = { createdAt = 1 }, session = { approved = true },
      expect = { into = "existing" },
    },
    {
      name = "a visitor becomes the member",
      current = { createdAt = 1, isAnonymous = true }, existing = { createdAt = 2 },
      expect = { into = "existing" },
    },
  },
}
