-- A __close slipped in after the metatable was set.
local m = {} local t = setmetatable({}, m) m.__close = function() while true do end end
local x <close> = t error 'x'
