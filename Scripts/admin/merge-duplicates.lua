-- Merges accounts that share an e-mail address: each group into its verified account, or its oldest.
-- A rehearsal unless told otherwise; every merge can be undone with merge.undo(id).
--
-- A person who opened an account with another person's address would get access to that person's account.
-- So an account that never verified the address is not merged into one that has, unless you know them all.
--
--   authgraph run Scripts/admin/merge-duplicates.lua                     what would happen
--   authgraph run Scripts/admin/merge-duplicates.lua --commit "reason"   do it
--   authgraph run Scripts/admin/merge-duplicates.lua --include-unverified [--commit "reason"]

local commit, includeUnverified, reason = false, false, "merge-duplicates.lua"
for _, word in ipairs(arg) do
  if word == "--commit" then
    commit = true
  elseif word == "--include-unverified" then
    includeUnverified = true
  elseif word:sub(1, 1) == "-" then
    error("unknown option " .. word .. "; use --commit or --include-unverified", 0)
  else
    reason = word
  end
end

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

local merged, refused, left = 0, 0, 0
for _, group in ipairs(duplicates.find { by = "email" }) do
  local keep = survivor(group.accounts)
  for _, other in ipairs(group.accounts) do
    local uid = other.uid
    if uid ~= keep.uid and keep.emailVerified and not other.emailVerified and not includeUnverified then
      left = left + 1
      print(string.format("%s: %s is left alone, it never verified the address", group.key, uid))
    elseif uid ~= keep.uid then
      local ok, result = pcall(function()
        local plan = merge.plan(keep.uid, uid, { fields = { customClaims = "union" } })
        return plan:commit { reason = reason, dryRun = not commit }
      end)
      if ok then
        merged = merged + 1
        print(string.format("%s: %s absorbed by %s  %s", group.key, uid, keep.uid,
          commit and result.id or "(rehearsal)"))
      else
        refused = refused + 1
        print(string.format("%s: %s stays: %s", group.key, uid, tostring(result)))
      end
    end
  end
end
print(string.format("%d merged, %d refused, %d left alone%s", merged, refused, left,
  commit and "" or "; nothing was written, add --commit to do it"))
