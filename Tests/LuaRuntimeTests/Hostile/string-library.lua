-- The library of strings, to change its methods for all.
string.upper = function() return 'owned' end string.format = nil string = nil
if ('a'):upper() ~= 'A' then while true do end end error 'unharmed'
