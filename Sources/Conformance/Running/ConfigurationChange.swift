import AuthValues

/// A change of a project's configuration for one case.
struct ConfigurationChange: Sendable {
  private let mask: String
  /// The earlier values of the changed members.
  private let earlier: JSONValue

  /// Members whose own members are names that people choose, so they are changed as a whole.
  private static let maps: Set<String> = ["testPhoneNumbers"]

  /// Plans a change of the configuration in a snapshot.
  init(_ settings: JSONValue, from snapshot: ConfigurationSnapshot) {
    let paths = Self.leaves(of: settings)
    mask =
      "?updateMask="
      + URLText.escaped(paths.map { $0.joined(separator: ".") }.joined(separator: ","))
    earlier = paths.reduce(.object([:])) { object, path in
      Self.value(at: path, in: snapshot.document)
        .map { Self.setting($0, at: path[...], in: object) } ?? object
    }
  }

  /// Changes the configuration; throws a ``CaseFailure`` if the server refuses it.
  func make(
    _ settings: JSONValue, at target: ConformanceTarget, over transport: any HTTPTransport
  ) async throws {
    let path = target.configurationPath + mask
    let answer = try await target.sendAsAdmin(.patch, path, settings, over: transport)
    guard answer.status == 200 else {
      throw CaseFailure(
        request: "PATCH \(path)", expected: "the settings of the case", answer: answer)
    }
  }

  /// Puts the earlier values back; throws a ``CaseFailure`` if the server refuses it.
  func undo(at target: ConformanceTarget, over transport: any HTTPTransport) async throws {
    let path = target.configurationPath + mask
    let answer = try await target.sendAsAdmin(.patch, path, earlier, over: transport)
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
