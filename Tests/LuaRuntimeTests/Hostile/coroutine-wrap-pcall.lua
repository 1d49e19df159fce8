-- Wrapped coroutines inside pcall inside coroutines.
local function f() while true do pcall(coroutine.wrap(f)) end end f()
