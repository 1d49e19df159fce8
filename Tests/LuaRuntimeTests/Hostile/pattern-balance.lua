-- Balanced pairs that never close.
return ('('):rep(200000):find('.-%b()')
