public import AuthCore
import Foundation

/// A bundle of a folder that cannot be used, or whose file is gone.
public struct LockProblem: Sendable {
  /// The path of the bundle's file, or of the lock.
  public let file: String
  /// The problem.
  public let error: AuthError

  /// Returns the problems of a folder: bundles that differ from its lock or are not in it, and files that are gone.
  public static func all(in folder: String) -> [LockProblem] {
    guard let lock = try? PluginLock(folder: folder) else { return missing(in: folder) }
    let base = folder.hasSuffix("/") ? folder : "\(folder)/"
    let bundles = names(in: folder).filter { PluginBundle.isOne($0) && !$0.hasPrefix(".") }
    let wrong = bundles.compactMap { name -> LockProblem? in
      do throws(AuthError) {
        try PluginBundle(path: base + name).checkInstalled(in: lock, file: name, keys: [])
        return nil
      } catch {
        return LockProblem(file: base + name, error: error)
      }
    }
    return wrong + missing(in: folder)
  }

  /// Returns the entries of a folder's lock whose files are gone, and a lock that cannot be read.
  public static func missing(in folder: String) -> [LockProblem] {
    let lock: PluginLock
    do {
      lock = try PluginLock(folder: folder)
    } catch {
      return [LockProblem(file: PluginLock.path(folder), error: error)]
    }
    let names = names(in: folder)
    let base = folder.hasSuffix("/") ? folder : "\(folder)/"
    return lock.plugins.sorted { $0.key < $1.key }.filter { !names.contains($0.value.file) }.map {
      id, entry in
      LockProblem(
        file: base + entry.file,
        error: AuthError(
          .invalidPlugin,
          "\(entry.file) of \(id) is in \(PluginLock.fileName), and the file is gone.",
          field: "bundle", remedy: "Install it again from \(entry.source)."))
    }
  }

  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}
