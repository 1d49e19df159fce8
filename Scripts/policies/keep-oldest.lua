-- Merges two accounts into the one that was opened first. Claims are united. The photo is that of the
-- account that was opened later, however often either signed in.

return policy {
  name = "keep-oldest",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
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
      expect = { into = "existing" },
    },
    {
      name = "the current account is older",
      current = { createdAt = 1 }, existing = { createdAt = 2 },
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
      expect = {
        into = "existing",
        displayName = "Ada",
        photoURL = "https://img.example/new.png",
        customClaims = { role = "editor", beta = true },
      },
    },
  },
}
