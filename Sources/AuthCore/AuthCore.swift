// The values that the graph is made of: who imports AuthCore has them too.
@_exported public import AuthValues
