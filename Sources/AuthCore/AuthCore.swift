// Re-exports the basic values, so that an import of AuthCore suffices.
@_exported public import AuthValues
