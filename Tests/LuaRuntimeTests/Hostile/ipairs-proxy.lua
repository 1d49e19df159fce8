-- A list that never ends.
local has, set = pcall(function() return setmetatable end) set = has and set or nil
local p = set and set({}, { __index = function(_, i) return i end }) or {}
for i in ipairs(p) do end while true do end
