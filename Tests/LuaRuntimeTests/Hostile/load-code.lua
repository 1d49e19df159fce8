-- Code compiled at run time.
return load('return 1')()
