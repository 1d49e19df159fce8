-- Functions and settings that several policies share. policy.use stores them together with the policy.

local people = {}

-- The projects whose customers stay apart from each other.
people.separate = { shop = true }

function people.isBlocked(account)
  return claim(account, "blocked") == true
end

return people
