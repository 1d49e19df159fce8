-- A weak mode slipped in after the metatable was set.
local m = {} local t = setmetatable({}, m) m.__mode = 'kv'
local keep = {} while true do setmetatable(t, m) t[{}] = setmetatable({}, m) keep[#keep + 1] = {} end
