-- Merges a visitor's anonymous account into the member's, and nothing else. The member's profile stays as it is.

return policy {
  name = "visitors-only",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local member, visitor = oldest(conflict.current, conflict.existing)
    if member.isAnonymous then member, visitor = visitor, member end
    if not visitor.isAnonymous then
      return refuse("both accounts are members'", { code = "members" })
    end
    return merge { into = member, from = visitor }
  end,

  examples = {
    {
      name = "a visitor becomes the member",
      current = { createdAt = 2, isAnonymous = true, displayName = "Guest" },
      existing = { createdAt = 1, displayName = "Ada" },
      expect = { into = "existing", displayName = "Ada" },
    },
    {
      name = "also if the visitor was there first",
      current = { createdAt = 1, isAnonymous = true }, existing = { createdAt = 2 },
      expect = { into = "existing" },
    },
    {
      name = "two members stay apart",
      current = {}, existing = {},
      expect = { refuse = "members", code = "members" },
    },
  },
}
