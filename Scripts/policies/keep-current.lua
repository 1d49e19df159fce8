-- Merges into the account that the person is signed in to, where both were shown to belong to them.
-- What the other account has fills the gaps. An anonymous account never absorbs one with a name:
-- then the other account is kept, as an upgrade of the visitor to the member.

return policy {
  name = "keep-current",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    if not conflict.proof.both then return refuse "needs proof of both accounts" end
    local keep, absorb = conflict.current, conflict.existing
    if keep.isAnonymous and not absorb.isAnonymous then keep, absorb = absorb, keep end
    return merge { into = keep, from = absorb, fields = { customClaims = "union" } }
  end,

  examples = {
    {
      name = "the current account stays although it is newer",
      current = { createdAt = 2, displayName = "Grace" },
      existing = { createdAt = 1, displayName = "G. Hopper", photoURL = "https://img.example/g.png" },
      proof = { both = true },
      expect = { into = "current", displayName = "Grace", photoURL = "https://img.example/g.png" },
    },
    {
      name = "a visitor becomes the member",
      current = { isAnonymous = true, createdAt = 2 }, existing = { createdAt = 1 },
      proof = { both = true },
      expect = { into = "existing" },
    },
    {
      name = "an unproven account is left alone",
      current = {}, existing = {},
      proof = { current = true, existing = false },
      expect = { refuse = "proof of both" },
    },
  },
}
