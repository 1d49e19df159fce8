-- A list that never ends.
local p = setmetatable and setmetatable({}, { __index = function(_, i) return i end }) or {}
for i in ipairs(p) do end while true do end
