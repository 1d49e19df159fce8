import AuthCore

/// What a server has to do about one plug-in so that it and the store have the same.
enum SyncAction: Equatable {
  case nothing
  /// The store's text is loaded here, or its removal followed.
  case take
  /// This server's text is published.
  case publish
  /// The plug-in is removed everywhere.
  case delete
  /// The text stays, and this server's file is the one that it is in.
  case adopt

  /// What a server has loaded.
  struct Local: Equatable {
    let version: String
    /// Nil for a text that is in no file; those are not published.
    let path: String?
    /// When the file was written.
    let modifiedAt: Timestamp?
  }

  /// What a server and the store had the last time that they had the same.
  struct Baseline: Equatable {
    /// Nil where both had nothing.
    let version: String?
    /// The server's file, where the text was in one.
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
      // Also where both changed since: the later one counts.
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
