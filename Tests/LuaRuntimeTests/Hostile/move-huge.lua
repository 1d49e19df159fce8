-- A move over an endless range.
return table.move({}, 1, math.maxinteger - 1, 2)
