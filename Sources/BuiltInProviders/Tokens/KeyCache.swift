public import AuthCore

/// Fetches and keeps the public keys of issuers; one for the process.
public final class KeyCache: Sendable {
  public init(
    transport: any HTTPTransport, clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    minimumRefreshSeconds: Int64 = 60
  ) {}
}
