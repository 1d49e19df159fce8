import AuthCore
import Foundation
import LuaPlugins

/// The plug-in files of a command's arguments.
enum PluginFiles {
  /// Returns the files, with every `.lua` file of a folder in place of the folder, and its bundles unless `withBundles`
  /// is false.
  ///
  /// Throws `invalid-argument` for a path that does not exist, and for a folder without plug-ins.
  static func all(in paths: [String], withBundles: Bool = true) throws(AuthError) -> [String] {
    var files: [String] = []
    for path in paths {
      if path == InputFile.standardInput {
        files.append(path)
        continue
      }
      var isFolder = ObjCBool(false)
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw AuthError(
          .invalidArgument, "There is no file \(path).", field: "file", remedy: "Check the path.")
      }
      guard isFolder.boolValue else {
        files.append(path)
        continue
      }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      let plugins = names.filter { name in
        (name.hasSuffix(".lua") || withBundles && PluginBundle.isOne(name)) && !name.hasPrefix(".")
      }.sorted()
      guard !plugins.isEmpty else {
        throw AuthError(
          .invalidArgument, "The folder \(path) holds no plug-in.", field: "folder",
          remedy: "Make one with authgraph plugin new NAME --folder \(path).")
      }
      files += plugins.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
    }
    return files
  }

  /// Creates a folder if it does not exist, and returns its path without a trailing slash.
  static func made(_ folder: String) throws(AuthError) -> String {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw AuthError(
        .invalidArgument, "The folder \(folder) cannot be made.", field: "folder",
        remedy: "Choose another one.", cause: error)
    }
    return folder.hasSuffix("/") && folder != "/" ? String(folder.dropLast()) : folder
  }

  /// Writes new files, all or none; throws `invalid-argument` if one already exists.
  static func write(_ files: [(path: String, text: String)]) throws(AuthError) {
    for path in files.map(\.path) where FileManager.default.fileExists(atPath: path) {
      throw AuthError(
        .invalidArgument, "There is a file \(path) already.", field: "file",
        remedy: "Choose another name, or remove it.")
    }
    for (path, text) in files {
      do {
        try Data(text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
      } catch {
        throw AuthError(
          .invalidArgument, "\(path) cannot be written.", field: "file",
          remedy: "Check the folder.", cause: error)
      }
    }
  }
}
