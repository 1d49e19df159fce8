-- The metatable of strings, to change it for all.
getmetatable('').__index = function() return 'owned' end
