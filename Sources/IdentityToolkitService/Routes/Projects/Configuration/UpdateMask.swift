import AuthCore
import IdentityToolkit

/// The parts of a stored document that a request replaces, as dotted paths (Google's `FieldMask`).
struct UpdateMask: Sendable, Hashable {
  private let paths: [[String]]

  /// Reads a query's `updateMask`: paths separated by commas, in camelCase or snake_case.
  ///
  /// Throws if there are too many paths, or too many names in one of them.
  init(_ text: String?) throws(WireError) {
    let (most, deepest) = (RouteBounds.maskPaths, RouteBounds.maskDepth)
    let paths = (text ?? "").split(separator: ",", maxSplits: most).map { path in
      path.split(separator: ".", maxSplits: deepest)
    }
    guard paths.count <= most else {
      throw WireError("INVALID_ARGUMENT", "updateMask must have at most \(most) paths.")
    }
    guard paths.allSatisfy({ $0.count <= deepest }) else {
      throw WireError(
        "INVALID_ARGUMENT", "A path of updateMask must have at most \(deepest) names.")
    }
    self.paths = paths.map { $0.map { String($0).trimmedCamelCase } }
  }

  /// An empty mask, as of a request without one.
  static let none = UpdateMask()

  private init() { paths = [] }

  var isEmpty: Bool { paths.isEmpty }

  /// Tells whether a field is replaced, in part or as a part of another.
  func names(_ path: String) -> Bool {
    let parts = path.split(separator: ".").map(String.init)
    return paths.contains { $0.starts(with: parts) || parts.starts(with: $0) }
  }

  /// Returns the first path that begins with no field of the document.
  func unknown(among fields: [RouteField]) -> String? {
    let known = Set(fields.names)
    return paths.first { path in path.first.map { !known.contains($0) } ?? false }?
      .joined(separator: ".")
  }

  /// Returns the document with the named parts replaced by the body's.
  ///
  /// A named part that the body lacks stays as it is, or is cleared if `clearsMissing` is set, as `FieldMask` says.
  func applied(to document: JSONValue, from body: JSONValue, clearsMissing: Bool) -> JSONValue {
    paths.reduce(document) { document, path in
      if let value = body.at(path[...]) { return document.setting(path[...], to: value) }
      return clearsMissing ? document.setting(path[...], to: nil) : document
    }
  }
}

extension JSONValue {
  fileprivate func at(_ path: ArraySlice<String>) -> JSONValue? {
    guard let name = path.first else { return self }
    return self[name]?.at(path.dropFirst())
  }

  /// Returns the object with a value set at a path; missing objects on the way are created.
  fileprivate func setting(_ path: ArraySlice<String>, to value: JSONValue?) -> JSONValue {
    guard let name = path.first else { return value ?? self }
    guard case .object(var members) = self else { return self }
    if path.count == 1 {
      members[name] = value
    } else if let inner = members[name] ?? (value == nil ? nil : .object([:])) {
      members[name] = inner.setting(path.dropFirst(), to: value)
    }
    return .object(members)
  }

  /// Returns the object with another one's members written over its own, at every depth.
  func merging(_ other: JSONValue) -> JSONValue {
    guard case .object(var members) = self, case .object(let further) = other else { return other }
    for (name, value) in further { members[name] = members[name]?.merging(value) ?? value }
    return .object(members)
  }

  /// The value with every key in camelCase, because requests may use either form.
  var camelCased: JSONValue {
    switch self {
    case .object(let members):
      .object(
        Dictionary(
          members.map { ($0.key.trimmedCamelCase, $0.value.camelCased) },
          uniquingKeysWith: { first, _ in first }))
    case .array(let items): .array(items.map(\.camelCased))
    default: self
    }
  }
}

extension String {
  fileprivate var trimmedCamelCase: String {
    let words = split(separator: "_")
    guard let first = words.first, words.count > 1 else {
      return trimmingPrefix(" ").description
    }
    return String(first)
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
