import AuthCore
import Foundation

/// A duration or a time, as it is typed.
struct Lifetime: Equatable {
  private enum Kind: Equatable {
    case seconds(Int64)
    case moment(Timestamp)
  }

  private let kind: Kind

  init(_ text: String, field: String = "expires") throws(AuthError) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    if let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
      (1...1_000_000).contains(number)
    {
      kind = .seconds(number * unit)
    } else if let moment = Timestamp(rfc3339: text) {
      kind = .moment(moment)
    } else {
      throw AuthError(
        .invalidArgument, "\"\(text)\" is no length of time.", field: field,
        remedy: "Write it as 90m, 12h or 30d, or a time such as 2027-01-31T12:00:00Z.")
    }
  }

  func end(from now: Timestamp) -> Timestamp {
    switch kind {
    case .seconds(let seconds): Timestamp(milliseconds: now.milliseconds + seconds * 1000)
    case .moment(let moment): moment
    }
  }
}
