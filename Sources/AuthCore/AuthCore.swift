/// What the graph is made of besides: whoever imports AuthCore has its values too.
@_exported public import AuthValues
