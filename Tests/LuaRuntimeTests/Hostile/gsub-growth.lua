-- A replacement that multiplies.
local s = ('a'):rep(10000) while true do s = s:gsub('a', 'aaaa') end
