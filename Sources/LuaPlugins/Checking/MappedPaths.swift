package import AuthCore

extension PluginDeclaration {
  /// The paths of each field of the identity that is mapped by paths, by the field's name.
  package var mappedPaths: [String: [String]] {
    var paths: [String: [String]] = [:]
    for case (let field, .sources(let sources)) in mapping {
      paths[field.rawValue] = sources.flatMap(\.paths).map(\.description)
    }
    return paths
  }
}

/// How far a path leads into an answer in which its end is missing.
package struct PathShortfall: Sendable {
  /// How many of its steps are there.
  package let depth: Int
  /// The part of the path that is there; empty where nothing is.
  package let reached: String
  /// The name that is missing; nil where it is a position in a list.
  package let missing: String?
  /// What there is in its place, in alphabetical order; empty where there are no names.
  package let names: [String]

  /// Follows a path; nil where it leads to a value, or the text is no path.
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
      default:
        if case .name(let name) = step { missing = name } else { missing = nil }
        if case .object(let members) = value { names = members.keys.sorted() } else { names = [] }
        self.reached = reached
        self.depth = depth
        return
      }
      depth += 1
    }
    // Everything is there, and its end is null.
    missing = nil
    names = []
    self.reached = reached
    self.depth = depth
  }
}
