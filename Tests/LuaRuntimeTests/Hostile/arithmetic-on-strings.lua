-- Arithmetic that converts a million digits.
local s = ('1'):rep(1000000) while true do pcall(function() return s + 1 end) end
