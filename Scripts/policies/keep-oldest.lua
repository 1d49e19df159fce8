-- Merges two accounts into the one that was opened first, where both were shown to belong to the person.
-- Nothing is lost: claims are united, and the newer photo is the likelier one to be current.

return policy {
  name = "keep-oldest",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    if not conflict.proof.both then return refuse "needs proof of both accounts" end
    local keep, absorb = oldest(conflict.current, conflict.existing)
    return merge {
      into = keep,
      from = absorb,
      fields = { displayName = "keep", photoURL = "newest", customClaims = "union" },
    }
  end,

  examples = {
    {
      name = "the existing account is older",
      current = { createdAt = 2 }, existing = { createdAt = 1 },
      proof = { both = true },
      expect = { into = "existing" },
    },
    {
      name = "the current account is older",
      current = { createdAt = 1 }, existing = { createdAt = 2 },
      proof = { both = true },
      expect = { into = "current" },
    },
    {
      name = "claims are united and the newer photo wins",
      current = {
        createdAt = 2, displayName = "Ada L.", photoURL = "https://img.example/new.png",
        customClaims = { beta = true },
      },
      existing = {
        createdAt = 1, displayName = "Ada", photoURL = "https://img.example/old.png",
        customClaims = { role = "editor" },
      },
      proof = { both = true },
      expect = {
        into = "existing",
        displayName = "Ada",
        photoURL = "https://img.example/new.png",
        customClaims = { role = "editor", beta = true },
      },
    },
    {
      name = "an unproven account is left alone",
      current = {}, existing = {},
      proof = { current = true, existing = false },
      expect = { refuse = "proof of both" },
    },
  },
}
