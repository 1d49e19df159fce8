import AuthValues

/// A value that is not the expected one.
struct Mismatch: Error, Hashable {
  /// The place in the answer, such as `users[0].email`; empty for the whole.
  var path = ""
  let expected: String
  /// The value; nil if there is none.
  let seen: JSONValue?

  func inside(_ name: String) -> Mismatch {
    var mismatch = self
    let joined = path.isEmpty || path.hasPrefix("[") || path.hasPrefix(" ") ? "" : "."
    mismatch.path = name + joined + path
    return mismatch
  }
}
