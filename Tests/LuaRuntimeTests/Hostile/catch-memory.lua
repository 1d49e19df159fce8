-- Failed allocations caught for ever.
while true do pcall(string.rep, 'x', 2^25) end
