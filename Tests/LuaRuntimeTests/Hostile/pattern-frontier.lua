-- Frontiers at each place.
return ('a '):rep(100000):find('%f[%w].-%f[^%w].-%f[%d]')
