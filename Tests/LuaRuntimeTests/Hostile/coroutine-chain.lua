-- A chain of coroutines, each inside the other.
local function nest(n) return coroutine.wrap(function() return nest(n + 1)() end) end
while true do pcall(nest(1)) end
