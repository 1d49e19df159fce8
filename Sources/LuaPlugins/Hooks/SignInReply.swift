import AuthCore

/// The reply of a hook file to a sign-in.
enum SignInReply {
  /// The sign-in goes on as it is.
  case allow
  /// The sign-in goes on with changes.
  case change(SignInHookAnswer)
  /// The sign-in is refused in the app's words.
  case refuse(MergeRefusal)

  /// The reply in one line.
  var summary: String {
    switch self {
    case .allow: "allows"
    case .change(let answer): answer.isEmpty ? "allows" : "changes \(answer.summary)"
    case .refuse(let refusal): refusal.summary
    }
  }
}

extension SignInHookAnswer {
  /// True if nothing changes.
  var isEmpty: Bool { self == SignInHookAnswer() }

  /// The changed fields with their values.
  var summary: String {
    var parts: [String] = []
    func add(_ name: String, _ value: JSONValue?) {
      if let value { parts.append("\(name) to \(value.text)") }
    }
    add("displayName", displayName.given.map { .string($0) })
    add("photoURL", photoURL.given.map { .string($0) })
    add("emailVerified", emailVerified.map { .bool($0) })
    add("disabled", disabled.map { .bool($0) })
    add("customClaims", customClaims.given.map { .object($0.members) })
    add("sessionClaims", sessionClaims == .null ? nil : sessionClaims)
    return parts.joined(separator: ", ")
  }
}

extension Change {
  /// The new value; nil if the change sets none.
  fileprivate var given: Value? {
    if case .set(let value) = self { value } else { nil }
  }
}
