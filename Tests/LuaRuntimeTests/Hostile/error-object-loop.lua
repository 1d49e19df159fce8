-- Errors whose text never ends.
error(setmetatable({}, { __tostring = function() while true do end end }))
