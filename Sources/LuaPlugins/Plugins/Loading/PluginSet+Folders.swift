public import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// The size, time and identity of a file, which reveal that it was written again.
struct FileStamp: Hashable {
  let size: Int
  let modified: Int
  let nanoseconds: Int
  let inode: UInt64
  /// True for a file or a folder; reading anything else could block for ever.
  let isPlain: Bool

  /// Inspects a file; nil if there is none.
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

/// A change, or an unusable file, in the folders of plug-ins.
public enum PluginNews: Sendable {
  case loaded(PluginChange)
  case refused(file: String, AuthError)
}

extension PluginSet {
  /// Adds a folder to scan; throws `invalid-argument` if it does not exist.
  ///
  /// Every file `NAME.lua` in it is a plug-in, and every `NAME.plugin` is an installed bundle. Files in its folder
  /// `shared` are modules that plug-ins include.
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

  /// Loads new and changed files of the folders, and removes plug-ins whose files are missing in two scans.
  ///
  /// Without changes it costs one `stat` for each file. An unusable file is reported once each time it is written,
  /// and the version loaded before stays.
  @discardableResult
  public func scan() -> [PluginNews] {
    forgetOldVersions()
    let (folders, stamps, oldShared) = state.withLockedValue {
      ($0.folders, $0.stamps, $0.sharedStamps)
    }
    var news: [PluginNews] = []
    var seen: Set<String> = []
    for folder in folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let shared = Self.sharedStamps(of: folder)
      let isStale = shared != oldShared[folder] ?? [:]
      if isStale { state.withLockedValue { $0.sharedStamps[folder] = shared } }
      for name in names.sorted()
      where (name.hasSuffix(".lua") || PluginBundle.isOne(name)) && !name.hasPrefix(".") {
        let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        seen.insert(path)
        guard let stamp = FileStamp(path), stamp.isPlain, isStale || stamps[path] != stamp else {
          continue
        }
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
    // Some editors delete the old file before they write the new one, which must not fail a sign-in.
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

  /// Scans repeatedly until the task is cancelled, and reports the news.
  ///
  /// - Parameters:
  ///   - interval: the time between two scans.
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
