/// Caches the addresses of names for a short time, and makes one lookup for simultaneous callers.
actor AddressBook {
  private struct Entry {
    let lookup: Task<[IPAddress], any Error>
    let expires: ContinuousClock.Instant
    var known: [IPAddress]?
  }

  private let resolver: Resolver
  private let lifetime: Duration
  private let capacity = 512
  private var entries: [String: Entry] = [:]

  init(resolver: @escaping Resolver, lifetime: Duration) {
    self.resolver = resolver
    self.lifetime = lifetime
  }

  /// Returns the addresses of a name; throws ``Failure/unresolved`` if it has none.
  ///
  /// Cancellation ends the wait at once, even if the name server never answers.
  func addresses(of host: String) async throws -> [IPAddress] {
    let entry = currentEntry(of: host)
    if let known = entry.known { return known }
    let found: [IPAddress]
    do {
      found = try await Self.value(of: entry.lookup)
    } catch let cancellation as CancellationError {
      // A cancelled wait says nothing about the name; the lookup continues for other callers.
      throw cancellation
    } catch {
      found = []
    }
    let isCurrent = entries[host]?.expires == entry.expires
    guard !found.isEmpty else {
      if isCurrent { entries[host] = nil }
      throw Failure.unresolved
    }
    if isCurrent { entries[host]?.known = found }
    return found
  }

  private func currentEntry(of host: String) -> Entry {
    if let entry = entries[host], entry.expires > .now { return entry }
    makeRoom()
    let lookup = Task { [resolver] in try await resolver(host) }
    let entry = Entry(lookup: lookup, expires: .now + lifetime)
    entries[host] = entry
    return entry
  }

  private func makeRoom() {
    guard entries.count >= capacity else { return }
    let now = ContinuousClock.now
    entries = entries.filter { $0.value.expires > now }
    if entries.count >= capacity,
      let oldest = entries.min(by: { $0.value.expires < $1.value.expires })
    {
      entries[oldest.key] = nil
    }
  }

  private static func value(of lookup: Task<[IPAddress], any Error>) async throws -> [IPAddress] {
    let (answers, continuation) = AsyncThrowingStream<[IPAddress], any Error>.makeStream()
    Task {
      do {
        continuation.yield(try await lookup.value)
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    for try await answer in answers { return answer }
    throw CancellationError()
  }
}
