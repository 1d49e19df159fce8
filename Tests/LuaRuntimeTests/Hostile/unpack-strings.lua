-- Unpacking more values than a stack holds.
return string.unpack(('b'):rep(60000), ('x'):rep(60000))
