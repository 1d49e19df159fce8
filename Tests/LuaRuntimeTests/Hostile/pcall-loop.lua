-- Errors caught for ever.
while true do pcall(error, 'again') end
