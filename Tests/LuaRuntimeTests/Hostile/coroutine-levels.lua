-- Four levels of coroutines.
local function level(n) return function() while true do if n == 0 then for i = 1, 20 do end coroutine.yield() else local co = coroutine.wrap(level(n - 1)) for i = 1, 5 do co() end coroutine.yield() end end end end
local co = coroutine.wrap(level(4)) while true do co() end
