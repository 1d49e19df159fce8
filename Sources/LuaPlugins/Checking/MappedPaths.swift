package import AuthCore

extension PluginDeclaration {
  /// The paths of each field of the identity that paths fill, by the field's name.
  package var mappedPaths: [String: [String]] {
    var paths: [String: [String]] = [:]
    for case (let field, .sources(let sources)) in mapping {
      paths[field.rawValue] = sources.flatMap(\.paths).map(\.description)
    }
    return paths
  }

  /// The values beside true that verify an address, as the mapping lists them.
  package var verifyingValues: [JSONValue] {
    guard case .sources(let sources) = mapping[.emailVerified] else { return [] }
    return sources.flatMap { $0.accepted ?? [] }
  }
}

/// A path whose end is missing in an answer, and how much of it exists.
package struct PathShortfall: Sendable {
  /// The number of steps that exist.
  package let depth: Int
  /// The part of the path that exists; empty if no step does.
  package let reached: String
  /// The missing name; nil for a missing position or element of a list.
  package let missing: String?
  /// The names that exist in its place, in alphabetical order; empty if there are none.
  package let names: [String]
  /// The conditions that no element of the list meets, such as `primary=true`; nil if there is no such list.
  package var unmet: String?

  /// Follows a path; nil if it leads to a value or is malformed.
  package init?(of path: String, in json: JSONValue) {
    guard let path = PluginPath(path), path.value(in: json) == nil else { return nil }
    var value = json
    var reached = ""
    var depth = 0
    for step in path.steps {
      switch (step, value) {
      case (.name(let name), .object(let members)) where members[name] != nil:
        value = members[name] ?? .null
        reached += reached.isEmpty ? name : ".\(name)"
      case (.position(let position), .array(let elements))
      where elements.indices.contains(position - 1):
        value = elements[position - 1]
        reached += "[\(position)]"
      case (.filter(let conditions), .array(let elements))
      where elements.contains { conditions.areMet(by: $0) }:
        value = elements.first { conditions.areMet(by: $0) } ?? .null
        reached += "[\(conditions.text)]"
      default:
        if case (.filter(let conditions), .array) = (step, value) { unmet = conditions.text }
        if case .name(let name) = step { missing = name } else { missing = nil }
        if case .object(let members) = value { names = members.keys.sorted() } else { names = [] }
        self.reached = reached
        self.depth = depth
        return
      }
      depth += 1
    }
    // Every step exists, and the value at the end is null.
    missing = nil
    names = []
    self.reached = reached
    self.depth = depth
  }
}
