-- A comparison that is a C function.
local t = {} for i = 1, 10000 do t[i] = i end
while true do table.sort(t, math.max) end
