import AuthCore

/// A server's next step for one plug-in, towards the same state as the store.
enum SyncAction: Equatable {
  case nothing
  /// Loads the store's text here, or follows its removal.
  case take
  /// Publishes this server's text.
  case publish
  /// Removes the plug-in everywhere.
  case delete
  /// Keeps the text, and records this server's file as its source.
  case adopt

  /// A plug-in as a server has loaded it.
  struct Local: Equatable {
    let version: String
    /// The file; nil for a text that is in no file, which is not published.
    let path: String?
    /// The time at which the file was written.
    let modifiedAt: Timestamp?
  }

  /// The last state that a server and the store shared.
  struct Baseline: Equatable {
    /// The version; nil if neither had the plug-in.
    let version: String?
    /// The server's file, if the text was in one.
    let path: String?
  }

  init(local: Local?, stored: PluginIndex.Entry?, baseline: Baseline?) {
    guard let stored else {
      self = local?.path != nil ? .publish : .nothing
      return
    }
    guard local?.version != stored.version else {
      let isNewFile = local?.path != baseline?.path && local?.path != stored.path
      self = baseline != nil && local?.path != nil && isNewFile ? .adopt : .nothing
      return
    }
    let isNewer = local?.modifiedAt.map { $0 > stored.publishedAt } ?? false
    guard let baseline, baseline.version == stored.version else {
      // Even if both changed since then, the later change counts.
      let isUnchanged = baseline.map { $0.version == local?.version } ?? false
      self = isNewer && !isUnchanged && local?.path != nil ? .publish : .take
      return
    }
    guard let local else {
      self = baseline.path != nil && baseline.path == stored.path ? .delete : .take
      return
    }
    self = local.path != nil ? .publish : .nothing
  }
}
