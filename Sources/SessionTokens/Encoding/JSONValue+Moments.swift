import AuthCore

extension JSONValue {
  /// A moment in seconds since 1970 (RFC 7519 section 2), rounded down; nil where it is none, or behind the
  /// year 9999.
  func moment(_ name: String) -> Int64? {
    let seconds: Int64?
    switch self[name] {
    case .integer(let number): seconds = number
    case .number(let number): seconds = Int64(exactly: number.rounded(.down))
    default: seconds = nil
    }
    return seconds.flatMap { (0...253_402_300_799).contains($0) ? $0 : nil }
  }
}
