import AuthCore
import LuaRuntime

/// What `text("given_name", "family_name")` makes: paths whose texts become one.
struct TextDraft: Sendable {
  let paths: [String]
}

/// `text`: several texts of an answer as one, in a mapping and in functions.
enum TextWord {
  private static let mostPaths = 8

  static func install(in state: LuaState) throws(LuaError) {
    var type = LuaObjectType(name: "text")
    type.describe = { _ in "text" }
    state.define(type)
    try state.set("text", to: .function(state.function(named: "text", text)))
  }

  /// `text(path, …)` for a mapping; `text(value, path, …)` reads, nil where nothing is there.
  private static func text(_ call: LuaCall) throws -> [LuaValue] {
    let isMapping = call.typeName(1) == "string"
    let first = isMapping ? 1 : 2
    var count = first - 1
    while count < first + mostPaths, !call.isNil(count + 1) { count += 1 }
    guard count >= first else {
      throw call.argumentError(
        first, "paths expected, as in text(\"given_name\", \"family_name\")")
    }
    guard count - first < mostPaths else {
      throw call.argumentError(first + mostPaths, "at most \(mostPaths) paths expected")
    }
    if isMapping {
      let paths = try (first...count).map { try call.string($0, "path") }
      return [.object(LuaObject(type: "text", value: TextDraft(paths: paths)))]
    }
    let values = try (first...count).map { index in
      try IdentityLibrary.value(call, at: index).stringValue.map(JSONValue.string)
    }
    return [.optional(PersonName.joined(values))]
  }
}
