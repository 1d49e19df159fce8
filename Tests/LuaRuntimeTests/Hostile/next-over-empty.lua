-- A big table made empty, then searched for its first key.
local t = {} for i = 1, 20000 do t['k' .. i] = i end
for k in pairs(t) do t[k] = nil end while true do next(t) end
