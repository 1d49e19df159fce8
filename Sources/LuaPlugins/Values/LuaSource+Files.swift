package import AuthCore
package import LuaRuntime

extension LuaSource {
  /// Reads a script from a file, a pipe or, for `-`, standard input.
  ///
  /// Throws the given code if the source cannot be read, or with line and byte if it is not text. `read` returns the
  /// bytes of a file up to a limit, by default those of a file of this machine.
  package init(
    file path: String, kind: String, code: AuthError.Code = .invalidArgument,
    read: (_ path: String, _ limit: Int) throws(InputFile.Unreadable) -> [UInt8] = {
      path, limit throws(InputFile.Unreadable) in try InputFile.bytes(of: path, atMost: limit)
    }
  ) throws(AuthError) {
    let bytes: [UInt8]
    do {
      bytes = try read(path, Self.mostBytes)
    } catch {
      let problem =
        error.isMissing
        ? "There is no file \(path)." : "The \(kind) \(path) cannot be read: \(error.reason)."
      throw AuthError(
        code, problem, field: "file",
        remedy: error.isMissing ? "Check the path." : "Check the path and its permissions.",
        cause: error)
    }
    let name = path == InputFile.standardInput ? "standard input" : path
    do {
      try self.init(bytes: bytes)
    } catch {
      throw AuthError(error, in: name, field: "file", code: code)
    }
  }
}

extension AuthError {
  /// The error for bytes that are not the text of a script.
  package init(
    _ fault: LuaSourceError, in name: String, field: String, code: Code = .invalidArgument
  ) {
    self.init(
      code, "\(name): \(fault.fault).", field: field, remedy: fault.remedy, cause: fault)
  }
}
