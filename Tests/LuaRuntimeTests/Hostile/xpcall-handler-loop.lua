-- The message handler never ends; stock Lua runs it while no hook can fire.
xpcall(function() while true do end end, function() while true do end end)
