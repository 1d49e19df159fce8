-- A finalizer slipped in after the metatable was set.
local m = {} local t = setmetatable({}, m) m.__gc = function() while true do end end
t = nil setmetatable({}, m) while true do local t = {} end
