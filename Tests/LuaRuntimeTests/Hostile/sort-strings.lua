-- Long equal strings compared again and again.
local t, s = {}, ('x'):rep(100000) for i = 1, 200 do t[i] = s .. i end
while true do table.sort(t) end
