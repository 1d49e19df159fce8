-- Merges only accounts of one mailbox. Gmail delivers ada.lovelace+shop@gmail.com to adalovelace@gmail.com, so
-- these two are one mailbox; at other providers the addresses have to be equal.

return policy {
  name = "same-mailbox",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local address = mailbox(conflict.current)
    if not address or address ~= mailbox(conflict.existing) then
      return refuse("the accounts have different mailboxes", { code = "other-mailbox" })
    end
    local keep, absorb = oldest(conflict.current, conflict.existing)
    return merge { into = keep, from = absorb }
  end,

  examples = {
    {
      name = "Gmail's spellings are one mailbox",
      current = { createdAt = 2, email = "Ada.Lovelace+shop@gmail.com" },
      existing = { createdAt = 1, email = "adalovelace@googlemail.com" },
      expect = { into = "existing" },
    },
    {
      name = "elsewhere a dot is a difference",
      current = { email = "ada.lovelace@example.com" }, existing = { email = "adalovelace@example.com" },
      expect = { refuse = "different", code = "other-mailbox" },
    },
    {
      name = "an account without an address has no mailbox",
      current = {}, existing = { email = "ada@example.com" },
      expect = { refuse = "different", code = "other-mailbox" },
    },
    {
      name = "two accounts without an address are not one mailbox",
      current = {}, existing = {},
      expect = { refuse = "different" },
    },
  },
}
