public import AuthCore
import Synchronization

/// Keeps discovery documents for a while; many who wait for one share one request.
///
/// An old document answers while its issuer is down.
public final class DiscoveryCache: Sendable {
  private static let freshSeconds: Int64 = 3600
  private static let retrySeconds: Int64 = 30
  private static let maximumIssuers = 64

  private struct Entry {
    var document: DiscoveryDocument?
    var freshUntil = Timestamp(milliseconds: .min)
    var fetching: Task<DiscoveryDocument, any Error>?
  }

  private let transport: any HTTPTransport
  private let clock: @Sendable () -> Timestamp
  private let entries = Mutex<[String: Entry]>([:])

  public init(
    transport: any HTTPTransport, clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    self.transport = transport
    self.clock = clock
  }

  /// The document at `ISSUER/.well-known/openid-configuration`.
  ///
  /// Throws `network-request-failed` where there is none, or not a document of this very issuer.
  public func document(
    of issuer: String, privateHosts: [String] = []
  ) async throws -> DiscoveryDocument {
    let now = clock()
    let (known, task) = entries.withLock { entries in
      var entry = entries[issuer] ?? Entry()
      if let document = entry.document, now < entry.freshUntil {
        return (DiscoveryDocument?.some(document), Task<DiscoveryDocument, any Error>?.none)
      }
      if entries.count >= Self.maximumIssuers, entries[issuer] == nil { entries = [:] }
      let task = entry.fetching ?? Task { try await self.fetch(issuer, privateHosts) }
      entry.fetching = task
      entries[issuer] = entry
      return (entry.document, task)
    }
    guard let task else {
      if let known { return known }
      throw Self.missing
    }
    do {
      return try await task.value
    } catch {
      if let known { return known }
      throw error
    }
  }

  private func fetch(_ issuer: String, _ privateHosts: [String]) async throws -> DiscoveryDocument {
    do {
      // RFC 8414 puts the well-known part elsewhere; OpenID providers are found where Discovery 1.0 has it.
      let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
      let request = HTTPRequest(
        "\(base)/.well-known/openid-configuration", accept: "application/json",
        privateHosts: privateHosts)
      let json = try await transport.object(request, at: .credential)
      let document = try DiscoveryDocument(json, issuer: issuer, privateHosts: privateHosts)
      finish(issuer, document, for: Self.freshSeconds)
      return document
    } catch {
      finish(issuer, nil, for: Self.retrySeconds)
      throw error
    }
  }

  private func finish(_ issuer: String, _ document: DiscoveryDocument?, for seconds: Int64) {
    let until = clock().adding(seconds: seconds)
    entries.withLock { entries in
      var entry = entries[issuer] ?? Entry()
      entry.document = document ?? entry.document
      entry.freshUntil = until
      entry.fetching = nil
      entries[issuer] = entry
    }
  }

  private static let missing = AuthError(
    .networkRequestFailed, "The issuer's discovery document is not there.",
    remedy: "Try again later.", step: .credential)
}
