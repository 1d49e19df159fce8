-- A chain of a thousand __index tables.
local t = {} for i = 1, 1000 do t = setmetatable and setmetatable({}, { __index = t }) or {} end
while true do local x = t.x end
