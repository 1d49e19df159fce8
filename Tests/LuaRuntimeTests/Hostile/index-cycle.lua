-- An __index that leads to itself.
local has, set = pcall(function() return setmetatable end) set = has and set or nil
local t = {} if set then set(t, { __index = function(s, k) return s[k] end }) end
local x = t.x while true do end
