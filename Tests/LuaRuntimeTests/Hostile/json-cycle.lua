-- A cycle to encode.
local t = {} t.t = t return json.encode(t)
