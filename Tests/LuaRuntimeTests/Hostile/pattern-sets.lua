-- A very long set tried at each place.
return ('x'):rep(100000):find('[' .. ('a'):rep(50000) .. ']')
