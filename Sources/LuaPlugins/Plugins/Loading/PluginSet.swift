public import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// The plug-ins of a running AuthGraph: loaded from files, and replaced while people sign in.
///
/// A plug-in is replaced whole and at once: who began with one version ends with it, also where a browser
/// was away meanwhile. A new version that cannot be used changes nothing.
///
/// The servers of one store share their plug-ins with ``SharedPlugins``.
public final class PluginSet: ProviderSource {
  let host: PluginHost
  let state = NIOLockedValueBox(State())

  struct State {
    var entries: [ProviderID: Entry] = [:]
    var folders: [String] = []
    /// What each file looked like when it was last read.
    var stamps: [String: FileStamp] = [:]
    /// Files that were not there at the last look.
    var missing: Set<String> = []
    /// Files that could not be used as they are, and why.
    var refused: [String: AuthError] = [:]
    /// Counts what was loaded, replaced and taken out.
    var changes = 0
    /// For how many seconds a version that was replaced is kept because browsers may come back to it from
    /// other servers.
    var keepsReplaced: Int64 = 0
  }

  struct Entry {
    var provider: any LuaProvider
    /// Versions that browsers may come back to.
    var older: [Older] = []

    func has(_ version: String) -> Bool {
      provider.source.version == version || older.contains { $0.version == version }
    }
  }

  struct Older {
    let provider: any LuaProvider
    /// Until when it is kept where no browser left from here.
    let keptUntil: Timestamp

    var version: String { provider.source.version }

    func isNeeded(at now: Timestamp) -> Bool {
      now < keptUntil || provider.core.hasOpenFlows(at: now)
    }
  }

  /// Far more than are replaced while a browser is away.
  private static let mostVersions = 200

  /// Makes an empty set on what the plug-ins run on.
  public init(host: PluginHost) {
    self.host = host
  }

  public var ids: [ProviderID] { state.withLockedValue { $0.entries.keys.sorted() } }

  public func provider(_ id: ProviderID, version: String?) -> (any AuthProvider)? {
    state.withLockedValue { state in
      guard let entry = state.entries[id] else { return nil }
      guard let version, version != entry.provider.source.version else { return entry.provider }
      return entry.older.first { $0.version == version }?.provider
    }
  }

  /// The plug-ins that are loaded, by ID.
  public var plugins: [any LuaProvider] {
    state.withLockedValue { state in state.entries.sorted { $0.key < $1.key }.map(\.value.provider)
    }
  }

  /// The files that could not be used as they were last seen, and why; what was loaded before stays.
  public var refused: [(file: String, error: AuthError)] {
    state.withLockedValue { $0.refused.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  /// Loads a file, or its new text in place of what it was.
  ///
  /// Throws `invalid-plugin` with file, line and reason; what was loaded before stays then.
  @discardableResult
  public func load(path: String) throws(AuthError) -> PluginChange {
    let stamp = FileStamp(path)
    do {
      let change = try load(try PluginSource(path: path))
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
  /// Throws `invalid-plugin` with file, line and reason, also where its ID is that of another file's plug-in; what
  /// was loaded before stays then.
  @discardableResult
  public func load(_ source: PluginSource) throws(AuthError) -> PluginChange {
    try load(try LuaPlugin.provider(source, host: host)) { _ in true }
  }

  /// Puts a provider in its place, if what is there may be replaced by it; otherwise nothing changes.
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
        // A file that has another ID now is not the provider of its old one any more.
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
        // The same text, which is in a file now.
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

  /// Reads a plug-in's file again; throws `invalid-provider-id` where there is no such plug-in.
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

  /// Forgets old versions that no browser can come back to any more.
  func forgetOldVersions() {
    let now = host.clock()
    state.withLockedValue { state in
      for id in state.entries.keys where state.entries[id]?.older.isEmpty == false {
        state.entries[id]?.older.removeAll { !$0.isNeeded(at: now) }
      }
    }
  }

  /// Takes a plug-in out; identities of it stay.
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

/// What loading a file changed.
public struct PluginChange: Sendable, Hashable {
  public let provider: ProviderID
  /// The version before; nil where it is new.
  public let from: String?
  /// The version now; nil where the file is gone.
  public let to: String?
  /// The ID that the file had before, where it has another one now.
  public let former: ProviderID?

  init(_ provider: ProviderID, from: String?, to: String?, former: ProviderID? = nil) {
    self.former = former
    self.provider = provider
    self.from = from
    self.to = to
  }

  /// Whether there was anything to change.
  public var isChange: Bool { from != to }
}
