-- finds does-not-load: expected
return provider { id = = 1 }
