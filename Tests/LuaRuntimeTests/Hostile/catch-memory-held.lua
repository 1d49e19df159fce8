-- The memory is kept full while failures are caught.
local keep, n = {}, 1
while true do pcall(function() while true do keep[n] = ('x'):rep(1000) .. n n = n + 1 end end) end
