package import AuthCore
package import SessionTokens

/// The scopes of an admin token, as a console on a server checks them before each function.
package struct ConsoleRights: Hashable, Sendable {
  private let scopes: Set<AdminScope>

  package init(_ scopes: Set<AdminScope>) {
    self.scopes = scopes
  }

  /// Throws `operation-not-allowed`, with the missing scope, if the token does not allow a function of the API.
  ///
  /// Functions without an entry, such as one that was added without a scope, are refused.
  package func check(_ function: String) throws(AuthError) {
    guard !ConsoleNeed.isPure(function) else { return }
    guard let need = ConsoleNeed.of(function) else {
      throw AuthError(
        .operationNotAllowed, "\(function) has no scope, and does not exist on a server.",
        remedy: "Use it on the machine of the store.")
    }
    try check(need, of: function)
  }

  /// Throws `operation-not-allowed` if a scope for `what` is missing.
  func check(_ need: ConsoleNeed, of what: String) throws(AuthError) {
    guard let missing = need.scopes.first(where: { !AdminScope.does(scopes, allow: $0) }) else {
      return
    }
    throw AuthError(
      .operationNotAllowed, "\(what) needs the scope \(missing.rawValue), which this token lacks.",
      remedy: "Use a token that has it: authgraph admin-token new"
        + need.scopes.map { " --scope \($0.rawValue)" }.joined())
  }
}

/// The scopes that a function of the API needs in a console on a server.
package struct ConsoleNeed: Hashable, Sendable {
  /// All of them are needed.
  package let scopes: [AdminScope]

  /// Needs `console:read`, and the scope of what is read.
  static func reads(_ scopes: AdminScope...) -> ConsoleNeed {
    ConsoleNeed(scopes: [.readConsole] + scopes)
  }

  /// Needs `console:write`, and the scope of what is written.
  static func writes(_ scopes: AdminScope...) -> ConsoleNeed {
    ConsoleNeed(scopes: [.writeConsole] + scopes)
  }

  /// Returns the need of a function by its name in messages; nil for an unknown one.
  package static func of(_ function: String) -> ConsoleNeed? {
    if let need = HelpTopic.needs[function] { return need }
    // The functions of a provider are named after it: `google.com.rekey`.
    guard let dot = function.lastIndex(of: ".") else { return nil }
    let name = "providers\(function[dot...])"
    return ["providers.credential", "providers.rekey", "providers.rekeys"].contains(name)
      ? HelpTopic.needs[name] : nil
  }

  /// Tells whether a function reads and changes nothing outside of the script: `hash.sha256`, `tostring`.
  static func isPure(_ function: String) -> Bool {
    guard let end = function.firstIndex(where: { ".:".contains($0) }) else {
      // Fields, metamethods and `print`. Global functions that do more have an entry.
      return HelpTopic.needs[function] == nil
    }
    return ["base64", "hash", "json", "log", "time"].contains(function[..<end])
  }
}
