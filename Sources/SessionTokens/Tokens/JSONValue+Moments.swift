import AuthCore

extension JSONValue {
  /// Returns a time in seconds since 1970, rounded down; nil if the member is no time, or after the year 9999.
  func moment(_ name: String) -> Int64? { NumericDate(self[name])?.seconds }
}
