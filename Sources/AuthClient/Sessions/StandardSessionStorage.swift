import Foundation

/// The default storage of a user: the Keychain, or a file on platforms without one.
enum StandardSessionStorage {
  /// Returns the storage of an app.
  ///
  /// `googleAppID` distinguishes the Keychain items of several apps. A file's name consists of the program and the
  /// app's name.
  static func storage(app: String, googleAppID: String) -> any SessionStorage {
    #if canImport(Security)
      KeychainSessionStorage(app: app, googleAppID: googleAppID)
    #else
      FileSessionStorage.standard(app: app)
    #endif
  }
}

extension FileSessionStorage {
  /// Returns the storage of a named app in the user's data folder.
  ///
  /// That is `$XDG_DATA_HOME/authgraph/PROGRAM/APP.session` (by default below `~/.local/share`) on Linux, and the
  /// same below Application Support elsewhere. Characters with a meaning in paths are written as `%` and two digits.
  /// Two programs of the same name that use the same app name share the file.
  public static func standard(app: String) -> FileSessionStorage {
    let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    return FileSessionStorage(
      url: place(
        app: app, program: program,
        below: dataFolder(environment: ProcessInfo.processInfo.environment)))
  }

  static func place(app: String, program: String, below folder: URL) -> URL {
    folder.appending(path: "authgraph", directoryHint: .isDirectory)
      .appending(path: PathSegment(program).text, directoryHint: .isDirectory)
      .appending(path: "\(PathSegment(app).text).session", directoryHint: .notDirectory)
  }

  static func dataFolder(environment: [String: String]) -> URL {
    #if os(Linux)
      // XDG Base Directory Specification: a relative path has to be ignored.
      if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
        return URL(filePath: folder, directoryHint: .isDirectory)
      }
      return URL.homeDirectory.appending(path: ".local/share", directoryHint: .isDirectory)
    #else
      return URL.applicationSupportDirectory
    #endif
  }
}
