-- One instruction that copies many values.
local function f(...) while true do local n = select('#', ...) select(n, ...) end end
local t = {} for i = 1, 100000 do t[i] = i end f(table.unpack(t))
