-- Integer loops at the edge of their range.
for i = math.maxinteger - 1, math.maxinteger do for j = math.mininteger, math.maxinteger do end end
