-- The abort is meant to be swallowed by pcall.
while true do pcall(function() while true do end end) end
