public import AuthCore

/// Reads and keeps the discovery documents of issuers; one for the process.
public final class DiscoveryCache: Sendable {
  public init(
    transport: any HTTPTransport, clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    minimumRefreshSeconds: Int64 = 60
  ) {}

  public func document(
    of issuer: String, privateHosts: [String] = [], step: FlowStep = .exchange
  ) async throws -> DiscoveryDocument {
    throw AuthError(.internalError, "Discovery is not done yet.", step: step)
  }
}
