-- A coroutine makes the big string that its parent then compares.
local big = coroutine.wrap(function() return ('x'):rep(3000000) end)()
local other = big .. '' while true do local c = big <= other end
