-- A comparison that empties the table.
local t = {} for i = 1, 1000 do t[i] = i end
table.sort(t, function(a, b) for i = 1, 1000 do t[i] = nil end return a < b end) while true do end
