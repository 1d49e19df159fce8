-- A __concat that never ends.
local t = setmetatable and setmetatable({}, { __concat = function(a, b) while true do end end }) or ''
local s = t .. 'x' while true do end
