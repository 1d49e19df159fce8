-- Eight captures of spaces.
return (' '):rep(2000):find('(%s-)(%s-)(%s-)(%s-)(%s-)(%s-)(%s-)(%s-)x')
