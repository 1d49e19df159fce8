-- A __concat that never ends.
local has, set = pcall(function() return setmetatable end) set = has and set or nil
local t = set and set({}, { __concat = function(a, b) while true do end end }) or ''
local s = t .. 'x' while true do end
