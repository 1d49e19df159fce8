-- Merges into the account that the person is signed in to. Values of the other account fill its gaps.
-- An anonymous account never absorbs a named one: the other account is then kept, and the visitor becomes
-- the member.

return policy {
  name = "keep-current",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local keep, absorb = conflict.current, conflict.existing
    if keep.isAnonymous and not absorb.isAnonymous then keep, absorb = absorb, keep end
    return merge { into = keep, from = absorb, fields = { customClaims = "union" } }
  end,

  examples = {
    {
      name = "the current account stays although it is newer",
      current = { createdAt = 2, displayName = "Grace" },
      existing = { createdAt = 1, displayName = "G. Hopper", photoURL = "https://img.example/g.png" },
      expect = { into = "current", displayName = "Grace", photoURL = "https://img.example/g.png" },
    },
    {
      name = "claims are united, and the current account's word counts",
      current = { customClaims = { plan = "pro" } },
      existing = { customClaims = { plan = "free", beta = true } },
      expect = { into = "current", customClaims = { plan = "pro", beta = true } },
    },
    {
      name = "a visitor becomes the member",
      current = { isAnonymous = true, createdAt = 2 }, existing = { createdAt = 1 },
      expect = { into = "existing" },
    },
    {
      name = "of two visitors the current one stays",
      current = { isAnonymous = true, createdAt = 2 },
      existing = { isAnonymous = true, createdAt = 1 },
      expect = { into = "current" },
    },
  },
}
