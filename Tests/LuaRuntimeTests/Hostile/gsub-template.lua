-- A huge replacement for each letter.
return ('a'):rep(100000):gsub('a', ('%0'):rep(10000))
