import Foundation

/// Where a user is kept unless an app says otherwise: the keychain, or a file where there is none.
enum StandardSessionStorage {
  /// The storage of an app.
  ///
  /// `googleAppID` tells the keychain's items of several apps apart; a file goes by the program and the app's
  /// name.
  static func storage(app: String, googleAppID: String) -> any SessionStorage {
    #if canImport(Security)
      KeychainSessionStorage(app: app, googleAppID: googleAppID)
    #else
      FileSessionStorage.standard(app: app)
    #endif
  }
}

extension FileSessionStorage {
  /// Keeps the user of a named app in the data folder of this user and program.
  ///
  /// That is `$XDG_DATA_HOME/authgraph/PROGRAM/APP.session` (or below `~/.local/share`) on Linux, and the same
  /// below Application Support elsewhere. Characters that mean something in paths are written as `%` and
  /// two digits. Two programs of one name that use the same app name share the file.
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
      // XDG Base Directory Specification: a path that is not absolute is to be ignored.
      if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
        return URL(filePath: folder, directoryHint: .isDirectory)
      }
      return URL.homeDirectory.appending(path: ".local/share", directoryHint: .isDirectory)
    #else
      return URL.applicationSupportDirectory
    #endif
  }
}
