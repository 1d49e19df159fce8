// Re-exports the module of tokens, because whoever writes a provider declares the tokens that it takes.
@_exported public import Tokens
