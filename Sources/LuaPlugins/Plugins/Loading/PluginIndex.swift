import AuthCore
import Foundation

/// Which plug-ins the servers of a store share, and which version of each; the texts lie beside it.
///
/// One text of the store, so that two servers cannot publish past each other.
struct PluginIndex: Codable, Equatable, Sendable {
  struct Entry: Codable, Equatable, Sendable {
    /// Nil where the plug-in was removed.
    var version: String?
    /// What messages call it.
    var name: String
    /// The file whose text it was last.
    var path: String?
    /// When this version was published, or the plug-in removed.
    var publishedAt: Timestamp
    /// Versions that browsers may come back to, newest last.
    var older: [Older] = []
  }

  struct Older: Codable, Equatable, Sendable {
    let version: String
    let keptUntil: Timestamp
  }

  /// By ID.
  var entries: [String: Entry] = [:]

  static let checkpoint = "plugins"
  private static let mostOlder = 20

  static func read(_ reader: any AccountReader) throws -> PluginIndex {
    guard let text = try reader.checkpoint(checkpoint, in: .servers) else { return PluginIndex() }
    return try JSONDecoder().decode(PluginIndex.self, from: Data(text.utf8))
  }

  func save(_ writer: any AccountWriter) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(self), as: UTF8.self)
    try writer.saveCheckpoint(Self.checkpoint, text, in: .servers)
  }

  /// Where the text of a version is kept.
  static func place(_ id: ProviderID, _ version: String) -> String { "plugin:\(id):\(version)" }

  /// Replaces what there is of a plug-in by a text, or by nothing, and keeps what it was for a while.
  mutating func publish(
    _ id: ProviderID, _ source: PluginSource?, path: String?, at now: Timestamp,
    keptUntil: Timestamp, _ writer: any AccountWriter
  ) throws {
    let old = entries[id.rawValue]
    var older = old?.older ?? []
    if let version = old?.version { older.append(Older(version: version, keptUntil: keptUntil)) }
    older.removeAll { $0.version == source?.version }
    let kept = Array(older.filter { $0.keptUntil > now }.suffix(Self.mostOlder))
    for gone in older where !kept.contains(gone) {
      try writer.saveCheckpoint(Self.place(id, gone.version), nil, in: .servers)
    }
    if let source {
      try writer.saveCheckpoint(Self.place(id, source.version), source.text, in: .servers)
    }
    entries[id.rawValue] = Entry(
      version: source?.version, name: source?.name ?? old?.name ?? id.rawValue, path: path,
      publishedAt: now, older: kept)
  }
}
