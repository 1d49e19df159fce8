-- Methods of a host object called with the wrong self.
local f = json.encode while true do pcall(f) pcall(f, f) pcall(log.info) pcall(hash.hmac, 1, 2, 3) end
