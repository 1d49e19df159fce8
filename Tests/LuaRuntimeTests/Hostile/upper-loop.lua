-- A long string turned to capitals again and again.
local s = ('x'):rep(1000000) while true do s:upper() end
