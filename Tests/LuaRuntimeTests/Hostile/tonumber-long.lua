-- A number of a million digits.
local s = ('1'):rep(1000000) while true do tonumber(s) tonumber(s, 10) end
