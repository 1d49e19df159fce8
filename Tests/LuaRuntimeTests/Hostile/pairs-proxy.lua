-- A __pairs that never ends.
local p = setmetatable and setmetatable({}, { __pairs = function() return function() return 1 end end }) or {}
for k in pairs(p) do end while true do end
