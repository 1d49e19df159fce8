-- A join over an endless range.
return table.concat({}, '', 1, math.maxinteger)
