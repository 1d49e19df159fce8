-- A back reference to a long capture.
return ('a'):rep(100000):find('(.*).-%1b')
