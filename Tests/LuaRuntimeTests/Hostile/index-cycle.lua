-- An __index that leads to itself.
local t = {} if setmetatable then setmetatable(t, { __index = function(s, k) return s[k] end }) end
local x = t.x while true do end
