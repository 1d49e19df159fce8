-- Long strings encoded again and again.
local s = ('x'):rep(1000000) while true do base64.encode(s) end
