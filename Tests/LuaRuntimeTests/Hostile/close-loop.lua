-- A __close that never ends.
local x <close> = setmetatable({}, { __close = function() while true do end end })
error 'x'
