public import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// The plug-ins of a running AuthGraph, loaded from files and replaced while people sign in.
///
/// A plug-in is replaced as a whole and at once: a sign-in ends with the version that it began with, even if a
/// browser was away in between. An unusable new version changes nothing.
///
/// The servers of one store share their plug-ins with ``SharedPlugins``.
public final class PluginSet: ProviderSource {
  let host: PluginHost
  let state = NIOLockedValueBox(State())

  struct State {
    var entries: [ProviderID: Entry] = [:]
    var folders: [String] = []
    /// The state of each file when it was last read.
    var stamps: [String: FileStamp] = [:]
    /// The state of each folder's shared modules and lock in the last scan.
    var sharedStamps: [String: [String: FileStamp]] = [:]
    /// The keys that may sign bundles; empty if every bundle is allowed.
    var keys: [BundleKey] = []
    /// Files that were missing in the last scan.
    var missing: Set<String> = []
    /// Files that are unusable as they are, with the error.
    var refused: [String: AuthError] = [:]
    /// The number of plug-ins loaded, replaced and removed.
    var changes = 0
    /// The time in seconds for which a replaced version is kept because browsers of other servers may come back to
    /// it.
    var keepsReplaced: Int64 = 0
  }

  struct Entry {
    var provider: any LuaProvider
    /// Versions to which browsers may come back.
    var older: [Older] = []

    func has(_ version: String) -> Bool {
      provider.source.version == version || older.contains { $0.version == version }
    }
  }

  struct Older {
    let provider: any LuaProvider
    /// The time until which it is kept if no browser left from here.
    let keptUntil: Timestamp

    var version: String { provider.source.version }

    func isNeeded(at now: Timestamp) -> Bool {
      now < keptUntil || provider.core.hasOpenFlows(at: now)
    }
  }

  /// A bound far above the number of replacements while a browser is away.
  private static let mostVersions = 200

  /// Makes an empty set; the host provides network, caches, log and limits.
  public init(host: PluginHost) {
    self.host = host
  }

  /// The IDs of the loaded plug-ins, sorted.
  public var ids: [ProviderID] { state.withLockedValue { $0.entries.keys.sorted() } }

  /// The provider of an ID in the given version, or in the current one without a version; nil if it is gone.
  public func provider(_ id: ProviderID, version: String?) -> (any AuthProvider)? {
    state.withLockedValue { state in
      guard let entry = state.entries[id] else { return nil }
      guard let version, version != entry.provider.source.version else { return entry.provider }
      return entry.older.first { $0.version == version }?.provider
    }
  }

  /// The loaded plug-ins, by ID.
  public var plugins: [any LuaProvider] {
    state.withLockedValue { state in state.entries.sorted { $0.key < $1.key }.map(\.value.provider)
    }
  }

  /// The files that were unusable when last read, with the error; the versions loaded before stay.
  public var refused: [(file: String, error: AuthError)] {
    state.withLockedValue { $0.refused.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  /// Loads a file, or its new text in place of the old one.
  ///
  /// Throws `invalid-plugin` with file, line and reason; the version loaded before stays then.
  @discardableResult
  public func load(path: String) throws(AuthError) -> PluginChange {
    let stamp = FileStamp(path)
    do {
      let change = try load(try source(at: path))
      state.withLockedValue { state in
        state.stamps[path] = stamp
        state.refused[path] = nil
      }
      return change
    } catch {
      state.withLockedValue { state in
        state.stamps[path] = stamp
        state.refused[path] = error
      }
      throw error
    }
  }

  /// Loads a text.
  ///
  /// Throws `invalid-plugin` with file, line and reason, also if its ID is that of another file's plug-in. The
  /// version loaded before stays then.
  @discardableResult
  public func load(_ source: PluginSource) throws(AuthError) -> PluginChange {
    try load(try LuaPlugin.provider(source, host: host)) { _ in true }
  }

  /// Installs a provider if it may replace the loaded one; otherwise nothing changes.
  @discardableResult
  func load(
    _ provider: any LuaProvider, where mayReplace: (PluginSource?) -> Bool
  ) throws(AuthError) -> PluginChange {
    let source = provider.source
    let now = host.clock()
    let outcome = state.withLockedValue { state -> Result<PluginChange, AuthError> in
      let present = state.entries[provider.id]?.provider.source
      guard mayReplace(present) else {
        return .success(PluginChange(provider.id, from: present?.version, to: present?.version))
      }
      guard let old = state.entries[provider.id] else {
        // A file that changed its ID is no longer the provider of the old ID.
        let former = state.entries.first {
          source.path != nil && $0.value.provider.source.path == source.path
        }?.key
        if let former { state.entries[former] = nil }
        state.entries[provider.id] = Entry(provider: provider)
        state.changes += 1
        return .success(
          PluginChange(provider.id, from: nil, to: source.version, former: former))
      }
      guard
        old.provider.source.path == source.path || source.path == nil
          || old.provider.source.path == nil
      else {
        return .failure(
          .invalidPlugin(
            source, line: source.line(of: "id"),
            "the id \(provider.id) is that of \(old.provider.source.path ?? "another plug-in")",
            field: "id", remedy: "Remove one of the two files."))
      }
      var entry = Entry(provider: old.provider, older: old.older)
      if old.provider.source.version != source.version {
        let last = Older(
          provider: old.provider, keptUntil: now.adding(seconds: state.keepsReplaced))
        let all = [last] + old.older.filter { $0.version != source.version }
        entry.older = Array(all.filter { $0.isNeeded(at: now) }.prefix(Self.mostVersions))
        entry.provider = provider
        state.entries[provider.id] = entry
        state.changes += 1
      } else if old.provider.source.path == nil, source.path != nil {
        // The same text, which is now in a file.
        if old.provider.core.hasOpenFlows(at: now) { provider.core.beginFlow(at: now) }
        entry.provider = provider
        state.entries[provider.id] = entry
        state.changes += 1
      }
      return .success(
        PluginChange(provider.id, from: old.provider.source.version, to: source.version))
    }
    return try outcome.get()
  }

  /// Reads a plug-in's file again; throws `invalid-provider-id` if there is no such plug-in.
  @discardableResult
  public func reload(_ id: ProviderID) throws(AuthError) -> PluginChange {
    let entries = state.withLockedValue { $0.entries }
    guard let entry = entries[id] else {
      throw AuthError(
        .invalidProviderID, "There is no plug-in \"\(id)\".", field: "providerID",
        remedy: suggestion(for: id.rawValue, among: entries.keys.map(\.rawValue)))
    }
    guard let path = entry.provider.source.path else {
      throw AuthError(
        .invalidPlugin, "The plug-in \(id) is in no file.", field: "file",
        remedy: "Load it from a file.")
    }
    return try load(path: path)
  }

  /// Drops old versions to which no browser can come back any more.
  func forgetOldVersions() {
    let now = host.clock()
    state.withLockedValue { state in
      for id in state.entries.keys where state.entries[id]?.older.isEmpty == false {
        state.entries[id]?.older.removeAll { !$0.isNeeded(at: now) }
      }
    }
  }

  /// Removes a plug-in; its identities stay.
  func remove(file path: String) -> ProviderID? {
    state.withLockedValue { state in
      state.stamps[path] = nil
      state.refused[path] = nil
      guard let id = state.entries.first(where: { $0.value.provider.source.path == path })?.key
      else { return nil }
      state.entries[id] = nil
      state.changes += 1
      return id
    }
  }
}

/// The change that loading a file caused.
public struct PluginChange: Sendable, Hashable {
  /// The ID of the plug-in.
  public let provider: ProviderID
  /// The version before; nil for a new plug-in.
  public let from: String?
  /// The version now; nil for a removed plug-in.
  public let to: String?
  /// The file's previous ID, if it changed.
  public let former: ProviderID?

  init(_ provider: ProviderID, from: String?, to: String?, former: ProviderID? = nil) {
    self.former = former
    self.provider = provider
    self.from = from
    self.to = to
  }

  /// False if the version stayed the same.
  public var isChange: Bool { from != to }
}
