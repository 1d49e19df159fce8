import AuthCore

extension JSONValue {
  /// Returns a time in seconds since 1970, rounded down; nil if it is none or lies after the year 9999.
  func moment(_ name: String) -> Int64? { NumericDate(self[name])?.seconds }
}
