// Re-exports the module of tokens, because vendors show their keys and tokens.
@_exported public import Tokens
