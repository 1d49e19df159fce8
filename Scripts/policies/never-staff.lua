-- Never merges an account of the staff, whichever side it is on. All others go into the older account.

local staff = { admin = true, staff = true }

local function isStaff(account) return staff[claim(account, "role")] == true end

return policy {
  name = "never-staff",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    if isStaff(conflict.current) or isStaff(conflict.existing) then
      return refuse("staff are merged by hand", { code = "staff" })
    end
    local keep, absorb = oldest(conflict.current, conflict.existing)
    return merge { into = keep, from = absorb, fields = { customClaims = "union" } }
  end,

  examples = {
    {
      name = "an admin who links is refused",
      current = { createdAt = 1, customClaims = { role = "admin" } }, existing = { createdAt = 2 },
      expect = { refuse = "by hand", code = "staff" },
    },
    {
      name = "an account of the staff is not absorbed",
      current = { createdAt = 1 }, existing = { createdAt = 2, customClaims = { role = "staff" } },
      expect = { refuse = "by hand", code = "staff" },
    },
    {
      name = "others go into the older account",
      current = { createdAt = 2, customClaims = { role = "author" } }, existing = { createdAt = 1 },
      expect = { into = "existing", customClaims = { role = "author" } },
    },
  },
}
