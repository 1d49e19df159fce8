-- Many results, many times.
local t = {} for i = 1, 200000 do t[i] = i end
while true do select('#', table.unpack(t)) end
