import AuthCore
import LuaRuntime

/// The shared modules of a plug-in, which the word `include` runs in its sandbox.
struct PluginModules {
  private let included: IncludedFiles

  /// Compiles the modules and defines `include`.
  init(_ source: PluginSource, in state: LuaState) throws(LuaError) {
    var files: [String: LuaFunction] = [:]
    for module in source.modules {
      files[module.name] = try state.load(module.text, name: module.name)
    }
    let included = IncludedFiles(files, of: "plug-in")
    self.included = included
    let include = state.function(named: "include") { call in
      do {
        return try included.include(call)
      } catch var error as LuaError {
        // A text is raised again with the module's line, which the file's own line would replace.
        if case .string? = error.value { error.value = nil }
        throw error
      }
    }
    try state.set("include", to: .function(include))
  }

  /// Gives the modules the environment of the file's next run.
  func bind(to environment: LuaReference, in state: LuaState) throws(LuaError) {
    for (_, file) in included.functions.sorted(by: { $0.key < $1.key }) {
      try state.bind(file, to: environment)
    }
  }
}

extension PluginSource {
  /// The file and line of an error, in the file or in one of its modules; nil without a line.
  func place(of error: LuaError) -> String? {
    let module = modules.first { $0.name == error.script }?.name
    return error.line.map { "\(module ?? name):\($0)" }
  }

  private static let mostBytes = 1 << 20

  /// The paths of the modules; empty for a text that is in no file, and for a bundle.
  var modulePaths: [String] {
    guard let path, !PluginBundle.isOne(path) else { return [] }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return modules.map { folder + $0.name }
  }

  /// Reads the modules that a text includes, and those that they include; throws `invalid-plugin`.
  ///
  /// `read` returns the text of a module by its name below the plug-in's folder.
  static func modules(
    of text: String, in name: String, reading read: (_ name: String) throws(AuthError) -> String
  ) throws(AuthError) -> [PolicyBundle.Part] {
    // Without an include, the text is not taken apart before Lua has compiled it.
    guard text.contains("include") || text.contains(PolicyBundle.mark) else { return [] }
    var reader = BundleReader(main: name, rules: .plugin)
    try reader.add(name, text, includedBy: [], read)
    guard reader.parts.reduce(0, { $0 + $1.text.utf8.count }) <= mostBytes else {
      throw reader.error("\(name) and its modules have more than 1 MiB.")
    }
    return Array(reader.parts.dropFirst())
  }

  /// Reads the file of a module; anything but a plain file could block for ever.
  static func module(_ path: String) throws(AuthError) -> String {
    if let stamp = FileStamp(path), !stamp.isPlain {
      throw AuthError(
        .invalidPlugin, "The module \(path) is no file.", field: "file",
        remedy: "Put a file in its place.")
    }
    return try LuaSource(file: path, kind: "module", code: .invalidPlugin).text
  }
}
