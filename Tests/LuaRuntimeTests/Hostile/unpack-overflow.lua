-- A range that overflows.
return table.unpack({}, math.mininteger, math.maxinteger)
