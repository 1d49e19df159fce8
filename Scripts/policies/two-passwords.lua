-- An account has one password, that of its own address. If both accounts have one, the person has to know which
-- of them goes on, so a link is refused. A person who is signed in to both merges them with open eyes; the older
-- account stays, and a verified address comes before an unverified one.

return policy {
  name = "two-passwords",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local keep, absorb = oldest(conflict.current, conflict.existing)
    local areTwo = has(keep, "password") and has(absorb, "password")
    if areTwo and conflict.operation == "link" then
      return refuse("both accounts have a password", { code = "two-passwords" })
    end
    return merge { into = keep, from = absorb }
  end,

  examples = {
    {
      name = "a link that would lose a password is refused",
      current = { email = "ada@example.com", password = true },
      existing = { email = "ada@work.example", password = true, providerData = { "google.com" } },
      expect = { refuse = "password", code = "two-passwords" },
    },
    {
      name = "a person who shows both accounts keeps the older one's password",
      operation = "merge",
      current = { createdAt = 2, email = "ada@example.com", password = true },
      existing = { createdAt = 1, email = "ada@work.example", password = true },
      expect = {
        into = "existing", email = "ada@work.example", identities = { "password/ada@work.example" },
      },
    },
    {
      name = "one password stays, whichever account has it",
      current = { createdAt = 2, email = "ada@example.com", password = true },
      existing = { createdAt = 1, providerData = { { providerID = "google.com", uid = "7" } } },
      expect = {
        into = "existing", email = "ada@example.com",
        identities = { "google.com/7", "password/ada@example.com" },
      },
    },
    {
      name = "so does that of the older account",
      current = { createdAt = 2, providerData = { { providerID = "google.com", uid = "7" } } },
      existing = { createdAt = 1, email = "ada@example.com", password = true },
      expect = { into = "existing", identities = { "google.com/7", "password/ada@example.com" } },
    },
  },
}
