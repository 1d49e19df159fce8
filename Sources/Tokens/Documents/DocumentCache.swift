package import AuthCore
import NIOConcurrencyHelpers

/// Fetches and keeps the documents that issuers publish, such as keys.
///
/// - Simultaneous callers for one document share one request.
/// - A document is served until a newer one is fetched, so sign-ins continue while an issuer is down. The use of a
///   stale document requests a newer one, unless the last request was within the minimum interval.
/// - A document that lacks the wanted entry, such as a new key, is fetched again by the same rule.
/// - The cache keeps ``maximumPlaces`` documents and drops the least recently used one.
package final class DocumentCache<Value: Sendable>: Sendable {
  package struct Place: Hashable, Sendable {
    /// The issuer of the document; issuers with the same address have separate documents.
    package let name: String
    package let url: String
    package let privateHosts: [String]

    package init(name: String, url: String, privateHosts: [String]) {
      self.name = name
      self.url = url
      self.privateHosts = privateHosts
    }
  }

  private struct Entry {
    var value: Value?
    var freshUntil = Timestamp(milliseconds: .min)
    var lastRequest: Timestamp?
    var failure: AuthError?
    var fetching: SharedRequest<Value>?
    var lastUse: UInt64 = 0
  }

  private struct State {
    var entries: [Place: Entry] = [:]
    var uses: UInt64 = 0

    /// Drops the least recently used document, except those being fetched.
    mutating func makeRoom(for place: Place) {
      guard entries.count >= maximumPlaces, entries[place] == nil else { return }
      let idle = entries.filter { $0.value.fetching == nil }
      guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
      entries[oldest.key] = nil
    }
  }

  private let state = NIOLockedValueBox(State())
  private let exchange: VendorExchange
  private let clock: @Sendable () -> Timestamp
  private let minimumRefreshSeconds: Int64
  private let accepted: String
  private let read: @Sendable (HTTPResponse, HTTPRequest, Place) async throws -> Value

  /// Makes an empty cache of JSON objects.
  ///
  /// - Parameters:
  ///   - exchange: sends the requests.
  ///   - clock: decides which documents are fresh.
  ///   - minimumRefreshSeconds: the shortest time between two requests to one place.
  ///   - read: makes the value of a document, or throws an ``AuthError``.
  package convenience init(
    _ exchange: VendorExchange, clock: @escaping @Sendable () -> Timestamp,
    minimumRefreshSeconds: Int64,
    read: @escaping @Sendable (JSONValue, Place) async throws -> Value
  ) {
    self.init(
      exchange, clock: clock, minimumRefreshSeconds: minimumRefreshSeconds,
      accepting: "application/json"
    ) { response, request, place in
      try await read(try exchange.object(response, to: request), place)
    }
  }

  /// Makes an empty cache of documents of any type; `accepting` is the type in the requests.
  init(
    _ exchange: VendorExchange, clock: @escaping @Sendable () -> Timestamp,
    minimumRefreshSeconds: Int64, accepting accepted: String,
    readAny read: @escaping @Sendable (HTTPResponse, HTTPRequest, Place) async throws -> Value
  ) {
    self.exchange = exchange
    self.clock = clock
    self.minimumRefreshSeconds = minimumRefreshSeconds
    self.accepted = accepted
    self.read = read
  }

  /// Looks for an entry in a document, and fetches the document if necessary.
  ///
  /// Returns nil if the newest document lacks the entry. Throws the error of a failed request if no stored document has
  /// the entry, and `CancellationError` if the caller was cancelled.
  package func find<Found: Sendable>(
    at place: Place, _ look: (Value) -> Found?
  ) async throws -> Found? {
    switch plan(place, look) {
    case .found(let found): return found
    case .failed(let failure): throw failure
    case .join(let fetching, let old):
      do {
        return look(try await fetching.value())
      } catch let failure as AuthError {
        guard let old else { throw failure }
        return old
      }
    }
  }

  /// True while a document is being fetched; only tests wait for requests in the background.
  package var isFetching: Bool {
    state.withLockedValue { $0.entries.values.contains { $0.fetching != nil } }
  }

  private enum Plan<Found: Sendable>: Sendable {
    case found(Found?)
    case failed(AuthError)
    case join(SharedRequest<Value>, old: Found?)
  }

  private func plan<Found: Sendable>(_ place: Place, _ look: (Value) -> Found?) -> Plan<Found> {
    let now = clock()
    return state.withLockedValue { state in
      state.makeRoom(for: place)
      state.uses += 1
      var entry = state.entries[place, default: Entry()]
      entry.lastUse = state.uses
      defer { state.entries[place] = entry }
      let found = entry.value.flatMap(look)
      if let found, now < entry.freshUntil { return .found(found) }
      // An issuer known to be down is asked in the background, so that callers do not wait for it again and again.
      let isDown = entry.failure != nil
      if let found, isDown, entry.fetching != nil { return .found(found) }
      if let fetching = entry.fetching { return .join(fetching, old: found) }
      if isTooSoon(entry, now) {
        if let found { return .found(found) }
        return entry.failure.map(Plan.failed) ?? .found(nil)
      }
      entry.lastRequest = now
      let fetching = SharedRequest<Value>()
      entry.fetching = fetching
      // An unstructured task: it continues if the caller that started it is cancelled, because others wait for it
      // too. It ends with the request's timeout.
      Task { await self.fetch(place, for: fetching, at: now) }
      if let found, isDown { return .found(found) }
      return .join(fetching, old: found)
    }
  }

  /// Returns true within the minimum interval after the last request, or within five seconds if there is no document.
  private func isTooSoon(_ entry: Entry, _ now: Timestamp) -> Bool {
    guard let last = entry.lastRequest, now >= last else { return false }
    let wait = entry.value == nil ? min(5, minimumRefreshSeconds) : minimumRefreshSeconds
    return now < last.adding(seconds: wait)
  }

  private func fetch(_ place: Place, for fetching: SharedRequest<Value>, at now: Timestamp) async {
    var request = HTTPRequest(.get, place.url, headers: [("Accept", accepted)])
    request.privateHosts = place.privateHosts
    do {
      let response = try await exchange.document(request)
      let value = try await read(response, request, place)
      let freshUntil = now.adding(seconds: Freshness.seconds(response.headers))
      state.withLockedValue {
        $0.entries[place]?.value = value
        $0.entries[place]?.freshUntil = freshUntil
        $0.entries[place]?.failure = nil
        $0.entries[place]?.fetching = nil
      }
      fetching.finish(.success(value))
    } catch {
      let failure =
        error as? AuthError ?? exchange.failure("could not be reached", request, cause: error)
      state.withLockedValue {
        $0.entries[place]?.failure = failure
        $0.entries[place]?.fetching = nil
      }
      fetching.finish(.failure(failure))
    }
  }
}

extension DocumentCache {
  static var maximumPlaces: Int { 64 }
}

/// The time for which an answer may be served without asking again (RFC 9111).
enum Freshness {
  static let unstated: Int64 = 300
  static let bounds: ClosedRange<Int64> = 60...86_400

  /// Reads `Cache-Control` and `Age`: between a minute and a day, and five minutes if neither is present.
  static func seconds(_ headers: [String: String]) -> Int64 {
    let directives = (headers["cache-control"] ?? "").lowercased().split(separator: ",")
      .map { $0.filter { $0 != " " && $0 != "\t" } }
    if directives.contains(where: { $0 == "no-store" || $0.hasPrefix("no-cache") }) {
      return bounds.lowerBound
    }
    guard let maximum = directives.first(where: { $0.hasPrefix("max-age=") }),
      let seconds = UInt32(maximum.dropFirst("max-age=".count).filter { $0 != "\"" })
    else { return unstated }
    let age = headers["age"].flatMap { UInt32($0) } ?? 0
    return min(max(Int64(seconds) - Int64(age), bounds.lowerBound), bounds.upperBound)
  }
}
