-- A __pairs that never ends.
local has, set = pcall(function() return setmetatable end) set = has and set or nil
local p = set and set({}, { __pairs = function() return function() return 1 end end }) or {}
for k in pairs(p) do end while true do end
