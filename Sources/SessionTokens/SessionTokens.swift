// Re-exports the module of tokens, whose algorithms and keys sessions are signed with.
@_exported public import Tokens
