import AuthCore

/// A way to a value inside a vendor's answer, written as in Lua: `data.id`, `images[1].url`, `["a.b"]`.
struct PluginPath: Sendable, Hashable, CustomStringConvertible {
  enum Step: Sendable, Hashable {
    case name(String)
    /// Counted from 1, as Lua does.
    case position(Int)
  }

  let steps: [Step]
  let description: String

  /// Reads a path; nil where the text is none.
  init?(_ text: String) {
    var rest = text[...]
    var steps: [Step] = []
    while !rest.isEmpty {
      if let match = rest.prefixMatch(of: /\[(\d{1,6})\]/), let position = Int(match.1) {
        guard position > 0, !steps.isEmpty else { return nil }
        steps.append(.position(position))
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: /\[\"([^\"]+)\"\]|\['([^']+)'\]/) {
        steps.append(.name(String(match.1 ?? match.2 ?? "")))
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: /\.?([A-Za-z_][A-Za-z0-9_-]*)/),
        steps.isEmpty != match.0.hasPrefix(".")
      {
        steps.append(.name(String(match.1)))
        rest = rest[match.range.upperBound...]
      } else {
        return nil
      }
    }
    guard !steps.isEmpty else { return nil }
    self.steps = steps
    description = text
  }

  /// The value that the path leads to; nil where something is missing on the way, or it is null.
  func value(in json: JSONValue) -> JSONValue? {
    var value = json
    for step in steps {
      switch (step, value) {
      case (.name(let name), .object(let members)):
        guard let member = members[name] else { return nil }
        value = member
      case (.position(let position), .array(let elements)):
        guard elements.indices.contains(position - 1) else { return nil }
        value = elements[position - 1]
      default: return nil
      }
    }
    return value == .null ? nil : value
  }
}
