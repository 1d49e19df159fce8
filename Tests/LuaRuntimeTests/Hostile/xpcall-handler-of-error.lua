-- The message handler of an ordinary error never ends.
xpcall(error, function() while true do end end, 'x')
