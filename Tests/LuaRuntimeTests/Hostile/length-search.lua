-- The border of a table, asked again and again.
local t = {} for i = 1, 50000 do t[i] = i end while true do local n = #t t[n] = nil t[n] = 1 end
