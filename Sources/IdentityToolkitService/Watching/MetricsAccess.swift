/// The callers that may read the server's metrics at `/metrics`.
public enum MetricsAccess: String, Sendable, Hashable, CaseIterable {
  /// Any client that reaches the server.
  case open
  /// Bearers of admin tokens with the scope `server`.
  case token
  /// No caller: the path does not exist.
  case off
}
