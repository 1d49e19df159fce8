-- Unlinks one provider from every account that has it, such as a vendor that is shut down.
-- Accounts that could no longer sign in are left unchanged and listed. A rehearsal unless told otherwise.
--
--   authgraph run Scripts/admin/unlink-provider.lua twitter.com                     what would happen
--   authgraph run Scripts/admin/unlink-provider.lua twitter.com --commit "reason"   do it

local provider = arg[1] or error("which provider? Give its ID, such as twitter.com", 0)
local commit = arg[2] == "--commit"
if arg[2] and not commit then error("unknown option " .. arg[2] .. "; use --commit", 0) end

local unlinked, kept = 0, 0
for account in accounts.each { providerID = provider } do
  local ok, result = pcall(account.unlink, account, provider,
    { reason = arg[3] or "unlink-provider.lua", dryRun = not commit })
  if ok then
    unlinked = unlinked + 1
  else
    kept = kept + 1
    print(account.uid .. " stays linked: " .. tostring(result))
  end
end
print(string.format("%d unlinked from %s, %d left alone%s", unlinked, provider, kept,
  commit and "" or "; nothing was written, add --commit to do it"))
