import AuthCore
import Foundation

/// Compares the clock with what others say of the time.
struct ClockExamination {
  let store: (any AccountStore)?
  let transport: any HTTPTransport
  let configuration: Configuration
  var clock: @Sendable () -> Timestamp = Timestamp.now

  /// Tokens of a clock that is further off are refused elsewhere; in milliseconds.
  private static let tolerance: Int64 = 30_000

  func run() async -> [Diagnosis] {
    var diagnoses: [Diagnosis] = []
    if let ahead = await newestEvent(), ahead > Self.tolerance {
      diagnoses.append(
        .wrong(
          "clock",
          "The newest event of the store is \(ahead / 1000) s in the future, so the clock was or is wrong. "
            + "Set it by NTP."))
    }
    for url in vendors {
      guard let difference = await difference(from: url) else { continue }
      let host = URLText.host(of: url) ?? url
      guard abs(difference) > Self.tolerance else {
        diagnoses.append(.ok("clock", "It agrees with \(host)."))
        break
      }
      diagnoses.append(
        .wrong(
          "clock", "It differs by \(difference / 1000) s from that of \(host). Set it by NTP."))
      break
    }
    return diagnoses.isEmpty
      ? [.ok("clock", "Nothing says otherwise, but nobody else could be asked.")] : diagnoses
  }

  /// Who is asked for the time: this server's own address, and a vendor.
  private var vendors: [String] {
    (configuration.publicURL.map { [$0] } ?? []) + ["https://www.googleapis.com/generate_204"]
  }

  /// How far the newest event is ahead of the clock, in milliseconds.
  private func newestEvent() async -> Int64? {
    let scope = Scope(project: configuration.project)
    let events = try? await store?.read { reader in
      try reader.events(about: nil, before: nil, limit: 1, in: scope)
    }
    return events?.first.map { $0.at.milliseconds - clock().milliseconds }
  }

  /// The header `Date` of an answer, compared with the clock; nil where nobody answers.
  private func difference(from url: String) async -> Int64? {
    var request = HTTPRequest(.get, url)
    request.timeout = .seconds(3)
    request.privateHosts = URLText.host(of: url).map { [$0] } ?? []
    guard let text = try? await transport.send(request).headers["date"] else { return nil }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    guard let date = formatter.date(from: text) else { return nil }
    return clock().milliseconds - Int64(date.timeIntervalSince1970 * 1000)
  }
}
