-- Short coroutines that each hope for a fresh budget.
while true do coroutine.wrap(function() for i = 1, 50 do end end)() end
