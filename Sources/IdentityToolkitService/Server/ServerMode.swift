/// The behaviour of the server at the points at which Firebase's production and emulator differ.
public enum ServerMode: String, Sendable, Hashable, CaseIterable {
  case production
  /// For tests: unsigned tokens, unverified credentials, and projects that are created when first named.
  case emulator
}
