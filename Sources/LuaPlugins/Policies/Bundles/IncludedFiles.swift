import AuthCore
import LuaRuntime

/// The compiled files beside a policy or a plug-in, which the word `include` runs.
final class IncludedFiles {
  /// The functions by the names of their files.
  let functions: [String: LuaFunction]
  private let owner: String
  /// The depth of `include`; what an included file declares is not what the main file declares.
  private(set) var depth = 0

  /// Takes compiled files; the owner is named in errors, such as `policy`.
  init(_ functions: [String: LuaFunction], of owner: String) {
    self.functions = functions
    self.owner = owner
  }

  /// Implements `include(file)`, which returns what the file returns.
  func include(_ call: LuaCall) throws -> [LuaValue] {
    let name = try call.string(1, "file")
    guard let file = functions[name] else {
      let known = suggestion(for: name, among: functions.keys.sorted())
      throw call.argumentError(
        1,
        "there is no file \"\(name)\""
          + (functions.isEmpty ? " beside this \(owner)" : "; \(known)"))
    }
    guard depth < PolicyBundle.mostParts else {
      throw call.argumentError(1, "the files include each other in a circle")
    }
    depth += 1
    defer { depth -= 1 }
    return try call.state.call(file, results: .references)
  }
}
