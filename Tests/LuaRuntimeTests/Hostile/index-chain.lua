-- A chain of a thousand __index tables.
local has, set = pcall(function() return setmetatable end) set = has and set or nil
local t = {} for i = 1, 1000 do t = set and set({}, { __index = t }) or {} end
while true do local x = t.x end
