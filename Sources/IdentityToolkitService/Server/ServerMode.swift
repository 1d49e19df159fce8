/// Whose behaviour the server has where Firebase's production and its emulator differ.
public enum ServerMode: String, Sendable, Hashable, CaseIterable {
  case production
  /// For tests: unsigned tokens, unverified credentials, projects that are made when they are named.
  case emulator
}
