import AuthCore
import Foundation
import PostgresStore

/// Compares the clock with the time of other machines.
///
/// No clock decides which sessions are over. But the lifetimes of tokens and codes, and the age of a sign-in, are
/// measured by the clock of the server that gets the request, so the clocks of several servers have to agree.
struct ClockHealthCheck {
  let store: (any AccountStore)?
  let transport: any HTTPTransport
  let configuration: Configuration
  var clock: @Sendable () -> Timestamp = Timestamp.now

  /// The difference in milliseconds that is acceptable, in addition to the uncertainty of the measurement.
  private static let tolerance: Int64 = 1000

  func run() async -> [Diagnosis] {
    var diagnoses: [Diagnosis] = []
    if let ahead = await newestEvent(), ahead > Self.tolerance {
      diagnoses.append(
        .wrong(
          "clock",
          "The newest event of the store is \(Self.seconds(ahead)) s in the future: this clock or another "
            + "server's was or is wrong. Set them by NTP."))
    }
    if let difference = await differenceFromStore() {
      diagnoses.append(difference.diagnosis(host: "PostgreSQL"))
    }
    for url in vendors {
      guard let difference = await difference(from: url) else { continue }
      diagnoses.append(difference.diagnosis(host: URLText.host(of: url) ?? url))
      break
    }
    return diagnoses.isEmpty
      ? [.ok("clock", "No difference was found, but no other clock could be asked.")] : diagnoses
  }

  /// The time by which the clock is ahead of another one, in milliseconds.
  private struct Difference {
    let milliseconds: Int64
    /// The maximum error of the measurement, in milliseconds.
    let uncertainty: Int64

    func diagnosis(host: String) -> Diagnosis {
      guard abs(milliseconds) > tolerance + uncertainty else {
        return .ok("clock", "It agrees with \(host).")
      }
      return .wrong(
        "clock", "It differs by \(seconds(milliseconds)) s from that of \(host). Set both by NTP.")
    }
  }

  /// Formats seconds with one decimal place.
  private static func seconds(_ milliseconds: Int64) -> String {
    let tenths = (abs(milliseconds) + 50) / 100
    return "\(milliseconds < 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
  }

  /// The addresses that are asked for the time: this server's own, and a vendor's.
  private var vendors: [String] {
    (configuration.publicURL.map { [$0] } ?? []) + ["https://www.googleapis.com/generate_204"]
  }

  /// Returns the time by which the newest event is ahead of the clock, in milliseconds.
  private func newestEvent() async -> Int64? {
    let scope = Scope(project: configuration.project)
    let events = try? await store?.read { reader in
      try reader.events(about: nil, before: nil, limit: 1, in: scope)
    }
    return events?.first.map { $0.at.milliseconds - clock().milliseconds }
  }

  /// Compares the clock of the store's machine with this one; nil if it has none or does not answer.
  private func differenceFromStore() async -> Difference? {
    guard let store = store as? PostgresStore else { return nil }
    let asked = clock().milliseconds
    guard let time = try? await store.serverTime() else { return nil }
    let answered = clock().milliseconds
    return Difference(
      milliseconds: (asked + answered) / 2 - time.milliseconds, uncertainty: (answered - asked) / 2)
  }

  /// Compares the header `Date` of an answer with the clock; nil without an answer.
  private func difference(from url: String) async -> Difference? {
    var request = HTTPRequest(.get, url)
    request.timeout = .seconds(3)
    request.privateHosts = URLText.host(of: url).map { [$0] } ?? []
    let asked = clock().milliseconds
    guard let text = try? await transport.send(request).headers["date"] else { return nil }
    let answered = clock().milliseconds
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    guard let date = formatter.date(from: text) else { return nil }
    // The header has whole seconds, so the time is taken from the middle of the second.
    let time = Int64(date.timeIntervalSince1970 * 1000) + 500
    return Difference(
      milliseconds: (asked + answered) / 2 - time, uncertainty: (answered - asked) / 2 + 500)
  }
}
