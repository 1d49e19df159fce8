-- A width that no number needs.
return ('%99999d'):format(1)
