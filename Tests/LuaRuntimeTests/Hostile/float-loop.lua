-- A float loop whose step is too small to advance.
for i = 1, 2^53 + 2, 0.1 do end
