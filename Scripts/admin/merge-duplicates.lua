-- Merges accounts that have one e-mail address: each group into its verified account, or its oldest.
-- A rehearsal unless told otherwise; every merge can be undone with merge.undo(id).
--
--   authgraph run Scripts/admin/merge-duplicates.lua                     what would happen
--   authgraph run Scripts/admin/merge-duplicates.lua --commit "reason"   do it

local commit = arg[1] == "--commit"
local reason = arg[2] or "merge-duplicates.lua"
if arg[1] and not commit then error("unknown option " .. arg[1] .. "; use --commit", 0) end

local function survivor(accounts)
  local best = accounts[1]
  for _, account in ipairs(accounts) do
    local better = account.emailVerified and not best.emailVerified
    local equal = account.emailVerified == best.emailVerified
    if better or (equal and account.metadata.createdAt < best.metadata.createdAt) then
      best = account
    end
  end
  return best
end

local merged, refused = 0, 0
for _, group in ipairs(duplicates.find { by = "email" }) do
  local keep = survivor(group.accounts)
  for _, other in ipairs(group.accounts) do
    if other.uid ~= keep.uid then
      local ok, result = pcall(function()
        local plan = merge.plan(keep.uid, other.uid, { fields = { customClaims = "union" } })
        return plan:commit { reason = reason, dryRun = not commit }
      end)
      if ok then
        merged = merged + 1
        print(string.format("%s: %s absorbed by %s  %s", group.key, other.uid, keep.uid,
          commit and result.id or "(rehearsal)"))
      else
        refused = refused + 1
        print(string.format("%s: %s stays: %s", group.key, other.uid, tostring(result)))
      end
    end
  end
end
print(string.format("%d merged, %d refused%s", merged, refused,
  commit and "" or "; nothing was written, add --commit to do it"))
