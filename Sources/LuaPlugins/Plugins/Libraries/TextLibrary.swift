import AuthCore
import LuaRuntime

/// The value of `text("given_name", "family_name")`: paths whose texts are joined.
struct TextDraft: Sendable {
  let paths: [String]
}

/// The function `text`, which joins several texts of an answer, in a mapping and in functions.
enum TextLibrary {
  private static let mostPaths = 8

  static func install(in state: LuaState) throws(LuaError) {
    var type = LuaObjectType(name: "text")
    type.describe = { _ in "text" }
    state.define(type)
    try state.set("text", to: .function(state.function(named: "text", text)))
  }

  /// Implements `text(path, …)`, which describes a mapping, and `text(value, path, …)`, which returns the joined texts.
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
