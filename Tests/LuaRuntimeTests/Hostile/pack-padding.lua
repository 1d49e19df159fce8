-- Padding of a gigabyte.
return string.pack('c1000000000', '')
