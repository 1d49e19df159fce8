import AuthValues

/// A project's configuration from before a case that changes it.
struct ConfigurationSnapshot: Sendable {
  /// The whole configuration.
  let document: JSONValue

  /// Tells whether a case needs a snapshot: if it has settings, or writes the configuration itself.
  static func isNeeded(for item: ConformanceCase, in mode: ConformanceMode) -> Bool {
    item.settings != nil
      || item.steps.contains { step in
        step.modes.contains(mode) && step.method != .get
          && step.path.prefix { $0 != "?" }.hasSuffix("/config")
      }
  }

  /// Reads the configuration; throws a ``CaseFailure`` if the server does not show it.
  init(of target: ConformanceTarget, over transport: any HTTPTransport) async throws {
    let path = target.configurationPath
    let answer = try await target.sendAsAdmin(.get, path, over: transport)
    guard answer.status == 200 else {
      throw CaseFailure(request: "GET \(path)", expected: "the configuration", answer: answer)
    }
    document = answer.body
  }

  /// Puts back every member that differs; returns false if one still does afterwards.
  ///
  /// A server may derive one setting from another, and an emulator keeps a member that a mask names and the body
  /// lacks. So members are put back one by one, and then the whole document in an emulator, which replaces its own.
  func restore(
    at target: ConformanceTarget, over transport: any HTTPTransport
  ) async throws -> Bool {
    for name in try await differences(at: target, over: transport) {
      let value = document[name].map { [name: $0] } ?? [:]
      try await write(.object(value), "?updateMask=\(name)", at: target, over: transport)
    }
    if try await differences(at: target, over: transport).isEmpty { return true }
    guard target.mode == .emulator else { return false }
    try await write(document, "", at: target, over: transport)
    return try await differences(at: target, over: transport).isEmpty
  }

  /// Returns the names of the members that are not as before.
  private func differences(
    at target: ConformanceTarget, over transport: any HTTPTransport
  ) async throws -> [String] {
    let now = try await ConfigurationSnapshot(of: target, over: transport).document
    return Set(document.names).union(now.names).filter { document[$0] != now[$0] }.sorted()
  }

  /// Writes settings; a refusal shows in the next comparison.
  private func write(
    _ value: JSONValue, _ mask: String, at target: ConformanceTarget,
    over transport: any HTTPTransport
  ) async throws {
    let path = target.configurationPath + mask
    _ = try await target.sendAsAdmin(.patch, path, value, over: transport)
  }
}

extension JSONValue {
  /// The names of an object's members.
  fileprivate var names: [String] {
    if case .object(let members) = self { Array(members.keys) } else { [] }
  }
}
