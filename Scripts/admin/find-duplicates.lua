-- Lists accounts that have an e-mail address or a phone number in common. Changes nothing.
-- With --json it prints the groups as JSON.
--
--   authgraph run Scripts/admin/find-duplicates.lua [email|verifiedEmail|phone]

local by = arg[1] or "email"
local groups = duplicates.find { by = by }
for _, group in ipairs(groups) do
  print(group.key)
  for _, account in ipairs(group.accounts) do
    local ways = {}
    for _, entry in ipairs(account.providerData) do ways[#ways + 1] = entry.providerID end
    print(string.format("  %-32s %s  %s", account.uid,
      account.emailVerified and "verified  " or "unverified", table.concat(ways, ", ")))
  end
end
print(#groups .. " found by " .. by)
return groups
