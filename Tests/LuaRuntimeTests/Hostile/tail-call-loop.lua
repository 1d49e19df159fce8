-- Tail calls without end.
local function f() return f() end f()
