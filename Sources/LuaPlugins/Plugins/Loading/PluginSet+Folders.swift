public import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// Tells whether a file was written again: its size, its time and which file it is.
struct FileStamp: Hashable {
  let size: Int
  let modified: Int
  let nanoseconds: Int
  let inode: UInt64
  /// Whether it is a file or a folder; to read anything else could wait for ever.
  let isPlain: Bool

  /// Looks at a file; nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    size = Int(status.st_size)
    isPlain = [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    inode = UInt64(status.st_ino)
    #if os(Linux)
      (modified, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #else
      (modified, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #endif
  }
}

/// What was found in the folders of plug-ins.
public enum PluginNews: Sendable {
  case loaded(PluginChange)
  case refused(file: String, AuthError)
}

extension PluginSet {
  /// Looks for plug-ins in a folder from now on; throws `invalid-argument` where there is none.
  ///
  /// Every file `NAME.lua` in it is one.
  public func add(folder: String) throws(AuthError) {
    var isFolder = ObjCBool(false)
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      throw AuthError(
        .invalidArgument, "There is no folder \(folder).", field: "plugins",
        remedy: "Check the path.")
    }
    state.withLockedValue { state in
      if !state.folders.contains(folder) { state.folders.append(folder) }
    }
  }

  /// Loads what is new or was written again in the folders, and takes out what is gone at two looks.
  ///
  /// Costs a look at each file where nothing changed. A file that cannot be used is told once for each time it
  /// is written, and leaves what was loaded before.
  @discardableResult
  public func scan() -> [PluginNews] {
    forgetOldVersions()
    let (folders, stamps) = state.withLockedValue { ($0.folders, $0.stamps) }
    var news: [PluginNews] = []
    var seen: Set<String> = []
    for folder in folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names.sorted() where name.hasSuffix(".lua") && !name.hasPrefix(".") {
        let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        seen.insert(path)
        guard let stamp = FileStamp(path), stamp.isPlain, stamps[path] != stamp else { continue }
        do throws(AuthError) {
          let change = try load(path: path)
          if change.isChange { news.append(.loaded(change)) }
        } catch {
          news.append(.refused(file: path, error))
        }
      }
    }
    let missing = Set(
      stamps.keys.filter { path in
        !seen.contains(path) && FileStamp(path) == nil
          && folders.contains { path.hasPrefix($0.hasSuffix("/") ? $0 : "\($0)/") }
      })
    // Some editors take the old file away before they write the new one; nobody's sign-in is to fail for that.
    let gone = state.withLockedValue { state in
      defer { state.missing = missing }
      return missing.intersection(state.missing)
    }
    for path in gone.sorted() {
      let version = plugins.first { $0.source.path == path }?.source.version
      if let id = remove(file: path) {
        news.append(.loaded(PluginChange(id, from: version, to: nil)))
      }
    }
    return news
  }

  /// Scans again and again, until the task is cancelled; what it finds is told.
  ///
  /// - Parameters:
  ///   - interval: how long to wait between two looks.
  ///   - tell: takes the news.
  public func watch(
    every interval: Duration = .milliseconds(500),
    _ tell: @Sendable (PluginNews) -> Void = { _ in }
  ) async {
    while !Task.isCancelled {
      for item in scan() { tell(item) }
      try? await Task.sleep(for: interval)
    }
  }
}
