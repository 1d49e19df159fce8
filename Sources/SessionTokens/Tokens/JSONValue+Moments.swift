import AuthCore

extension JSONValue {
  /// A moment in seconds since 1970, rounded down; nil where it is none, or behind the year 9999.
  func moment(_ name: String) -> Int64? { NumericDate(self[name])?.seconds }
}
