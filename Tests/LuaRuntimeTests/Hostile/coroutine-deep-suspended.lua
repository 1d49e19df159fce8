-- Forty thousand suspended coroutines that hold each other.
local co for i = 1, 40000 do local inner = co co = coroutine.create(function() coroutine.yield(inner) end) coroutine.resume(co) end
co = nil while true do local t = {} end
