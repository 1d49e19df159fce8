public import AuthCore
import Synchronization

/// Keeps the public keys of issuers, so that verifying seldom needs the network.
///
/// Keys are fetched when they are first needed and again when their time is over (`Cache-Control: max-age`,
/// from one minute to a day) or a token names a key that is not there, but never more often than the minimum
/// interval. While an issuer is down its last keys stay in use, until it answers again. Many verifications that
/// wait for the same keys share one request.
public final class KeyCache: Sendable {
  /// More issuers than any project has; the one that was used least recently gives way.
  private static let maximumSources = 64
  private static let usualSeconds: Int64 = 300
  private static let longestSeconds: Int64 = 86_400

  private struct Entry {
    var keys: KeySet?
    var freshUntil = Timestamp(milliseconds: .min)
    var triedAt: Timestamp?
    var failure: AuthError?
    var usedAt = Timestamp(milliseconds: .min)
    var fetching: Task<KeySet, any Error>?
  }

  /// What a verification does next.
  private enum Step {
    case use(KeySet)
    case wait(Task<KeySet, any Error>, orUse: KeySet?)
    case fail(AuthError)
  }

  private let transport: any HTTPTransport
  private let clock: @Sendable () -> Timestamp
  private let minimumRefreshSeconds: Int64
  private let entries = Mutex<[String: Entry]>([:])

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - transport: what fetches key sets.
  ///   - clock: the time; given in tests.
  ///   - minimumRefreshSeconds: how long after an attempt no other is made, whatever tokens name.
  public init(
    transport: any HTTPTransport, clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    minimumRefreshSeconds: Int64 = 60
  ) {
    self.transport = transport
    self.clock = clock
    self.minimumRefreshSeconds = minimumRefreshSeconds
  }

  /// The keys at an address, fetched anew where they are old or the wanted one is not among them.
  ///
  /// Throws `network-request-failed` where there are none and they cannot be fetched.
  func keys(at url: String, having id: String?, privateHosts: [String]) async throws -> KeySet {
    switch step(url, id, privateHosts) {
    case .use(let keys): return keys
    case .fail(let error): throw error
    case .wait(let task, let known):
      do {
        return try await task.value
      } catch {
        // Old keys are better than none: what they signed was signed by the issuer.
        if let known { return known }
        throw error
      }
    }
  }

  private func step(_ url: String, _ id: String?, _ privateHosts: [String]) -> Step {
    let now = clock()
    return entries.withLock { entries in
      var entry = entries[url] ?? Entry()
      entry.usedAt = now
      defer {
        entries[url] = entry
        evict(&entries, keeping: url)
      }
      let isFresh = now < entry.freshUntil
      if let keys = entry.keys, isFresh, keys.has(id) { return .use(keys) }
      if let task = entry.fetching { return .wait(task, orUse: entry.keys) }
      if let triedAt = entry.triedAt, now < triedAt.adding(seconds: minimumRefreshSeconds) {
        if let keys = entry.keys { return .use(keys) }
        return .fail(entry.failure ?? Self.noKeys)
      }
      entry.triedAt = now
      let task = Task { try await self.fetch(url, privateHosts) }
      entry.fetching = task
      // Keys whose time is over still answer while new ones are under way, if the wanted one is there.
      if let keys = entry.keys, keys.has(id), id != nil { return .use(keys) }
      return .wait(task, orUse: entry.keys)
    }
  }

  /// Fetches a key set and keeps it; its task belongs to nobody, so no waiter's end is its own.
  private func fetch(_ url: String, _ privateHosts: [String]) async throws -> KeySet {
    do {
      var request = HTTPRequest(url, accept: "application/json", privateHosts: privateHosts)
      request.maximumResponseBytes = 256 * 1024
      let response = try await transport.send(request)
      guard response.status == 200, let keys = await KeySet(response.json) else {
        throw AuthError(
          .networkRequestFailed,
          "The keys of \(request.host) could not be read (HTTP \(response.status)).",
          remedy: "Check the address of the keys, or try again later.", step: .token)
      }
      let seconds = Self.freshSeconds(response.headers["cache-control"], minimumRefreshSeconds)
      finish(url) { entry, now in
        entry.keys = keys
        entry.freshUntil = now.adding(seconds: seconds)
        entry.failure = nil
      }
      return keys
    } catch {
      var failure = error as? AuthError ?? Self.noKeys
      failure.step = failure.step ?? .token
      let told = failure
      finish(url) { entry, _ in entry.failure = told }
      throw told
    }
  }

  private func finish(_ url: String, _ change: (inout Entry, Timestamp) -> Void) {
    let now = clock()
    entries.withLock { entries in
      var entry = entries[url] ?? Entry()
      change(&entry, now)
      entry.fetching = nil
      entries[url] = entry
    }
  }

  private func evict(_ entries: inout [String: Entry], keeping url: String) {
    guard entries.count > Self.maximumSources else { return }
    let oldest = entries.filter { $0.key != url && $0.value.fetching == nil }
      .min { $0.value.usedAt < $1.value.usedAt }
    if let oldest { entries[oldest.key] = nil }
  }

  /// How long an answer is fresh, in seconds (RFC 9111, section 5.2.2).
  private static func freshSeconds(_ cacheControl: String?, _ minimum: Int64) -> Int64 {
    let directives = (cacheControl ?? "").lowercased().split(separator: ",")
      .map { $0.filter { $0 != " " } }
    if directives.contains(where: { $0 == "no-store" || $0.hasPrefix("no-cache") }) {
      return minimum
    }
    let ages = directives.compactMap { directive in
      directive.hasPrefix("max-age=") ? Int64(directive.dropFirst("max-age=".count)) : nil
    }
    return min(max(ages.first ?? usualSeconds, minimum), longestSeconds)
  }

  private static let noKeys = AuthError(
    .networkRequestFailed, "The issuer's keys could not be fetched.", remedy: "Try again later.",
    step: .token)
}
