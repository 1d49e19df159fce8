/// Who may read the server's metrics at `/metrics`.
public enum MetricsAccess: String, Sendable, Hashable, CaseIterable {
  /// Everybody who reaches the server.
  case open
  /// Bearers of admin tokens with the scope `server`.
  case token
  /// Nobody: there is no such path.
  case off
}
