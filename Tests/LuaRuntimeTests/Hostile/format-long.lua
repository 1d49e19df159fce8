-- A format that is a whole book.
local f = ('%d'):rep(30000) return f:format(table.unpack({}, 1, 30000))
