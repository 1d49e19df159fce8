import AuthValues

/// A change of a project's configuration for one case.
struct ConfigurationChange: Sendable {
  private let settings: JSONValue
  private let mask: String
  /// The earlier values of the changed members.
  private let earlier: JSONValue
  /// The whole configuration from before the change.
  private let before: JSONValue
  /// The names of the changed members of the configuration itself.
  private let names: [String]

  /// Members whose own members are names that people choose, so they are changed as a whole.
  private static let maps: Set<String> = ["testPhoneNumbers"]

  /// Reads what the change will replace, and changes nothing; throws a ``CaseFailure`` if the server refuses to show it.
  init(
    _ settings: JSONValue, at target: ConformanceTarget, over transport: any HTTPTransport
  ) async throws {
    let path = target.configurationPath
    let before = try await target.sendAsAdmin(.get, path, over: transport)
    guard before.status == 200 else {
      throw CaseFailure(request: "GET \(path)", expected: "the configuration", answer: before)
    }
    self.settings = settings
    self.before = before.body
    let paths = Self.leaves(of: settings)
    names = Set(paths.compactMap(\.first)).sorted()
    mask =
      "?updateMask="
      + URLText.escaped(paths.map { $0.joined(separator: ".") }.joined(separator: ","))
    earlier = paths.reduce(.object([:])) { object, path in
      Self.value(at: path, in: before.body).map { Self.setting($0, at: path[...], in: object) }
        ?? object
    }
  }

  /// Changes the configuration; throws a ``CaseFailure`` if the server refuses it.
  ///
  /// After any other error the change may have been made, and has to be undone too.
  func apply(at target: ConformanceTarget, over transport: any HTTPTransport) async throws {
    let path = target.configurationPath
    let answer = try await target.sendAsAdmin(.patch, path + mask, settings, over: transport)
    guard answer.status == 200 else {
      throw CaseFailure(
        request: "PATCH \(path)\(mask)", expected: "the settings of the case", answer: answer)
    }
  }

  /// Puts the earlier values back; throws a ``CaseFailure`` if the server refuses it.
  ///
  /// A server may derive one setting from another, so members that differ afterwards are put back as a whole.
  func undo(at target: ConformanceTarget, over transport: any HTTPTransport) async throws {
    let path = target.configurationPath
    try await restore(earlier, mask, at: target, over: transport)
    let after = try await target.sendAsAdmin(.get, path, over: transport)
    for name in names {
      guard let value = before[name], after.body[name] != value else { continue }
      try await restore(
        .object([name: value]), "?updateMask=\(name)", at: target, over: transport)
    }
  }

  private func restore(
    _ value: JSONValue, _ mask: String, at target: ConformanceTarget,
    over transport: any HTTPTransport
  ) async throws {
    let path = target.configurationPath + mask
    let answer = try await target.sendAsAdmin(.patch, path, value, over: transport)
    guard answer.status == 200 else {
      throw CaseFailure(
        request: "PATCH \(path)", expected: "the settings from before the case", answer: answer)
    }
  }

  private static func leaves(of settings: JSONValue) -> [[String]] {
    guard case .object(let members) = settings else { return [] }
    return members.sorted { $0.key < $1.key }.flatMap { name, value in
      guard case .object(let inner) = value, !inner.isEmpty, !maps.contains(name) else {
        return [[name]]
      }
      return leaves(of: value).map { [name] + $0 }
    }
  }

  private static func value(at path: [String], in object: JSONValue) -> JSONValue? {
    path.reduce(Optional(object)) { $0?[$1] }
  }

  private static func setting(
    _ value: JSONValue, at path: ArraySlice<String>, in object: JSONValue
  ) -> JSONValue {
    guard let name = path.first else { return value }
    guard case .object(var members) = object else { return object }
    members[name] = setting(
      value, at: path.dropFirst(), in: members[name] ?? .object([:]))
    return .object(members)
  }
}
