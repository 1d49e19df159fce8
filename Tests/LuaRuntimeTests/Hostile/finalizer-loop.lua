-- A finalizer that never ends, and in which no hook can fire.
setmetatable({}, { __gc = function() while true do end end })
while true do local t = {} end
