-- Counts accounts by the ways they sign in. Changes nothing, and reads in constant memory.
-- With --json it prints the numbers as JSON.
--
--   authgraph run Scripts/admin/report.lua

local total, disabled, anonymous, guarded, verified, ways = 0, 0, 0, 0, 0, {}
for account in accounts.each() do
  total = total + 1
  if account.disabled then disabled = disabled + 1 end
  if account.isAnonymous then anonymous = anonymous + 1 end
  if account.emailVerified then verified = verified + 1 end
  if #account.multiFactor > 0 then guarded = guarded + 1 end
  local seen = {}
  for _, entry in ipairs(account.providerData) do
    if not seen[entry.providerID] then
      seen[entry.providerID] = true
      ways[entry.providerID] = (ways[entry.providerID] or 0) + 1
    end
  end
end

local report = {
  accounts = total, disabled = disabled, anonymous = anonymous,
  verifiedEmail = verified, secondFactor = guarded, providers = ways,
}
print(string.format("%d accounts: %d with a verified e-mail, %d with a second factor, %d anonymous, %d disabled",
  total, verified, guarded, anonymous, disabled))
local names = {}
for name in pairs(ways) do names[#names + 1] = name end
table.sort(names)
for _, name in ipairs(names) do print(string.format("  %-16s %6d", name, ways[name])) end
return report
