import AuthCore
import Foundation

/// The plug-ins that the servers of a store share, each with its version; the store keeps the texts separately.
///
/// The index is one text in the store, so that two servers cannot publish past each other.
struct PluginIndex: Codable, Equatable, Sendable {
  struct Entry: Codable, Equatable, Sendable {
    /// The version; nil if the plug-in was removed.
    var version: String?
    /// The file's name, as messages use it.
    var name: String
    /// The file with the latest text.
    var path: String?
    /// The time at which this version was published, or the plug-in removed.
    var publishedAt: Timestamp
    /// Versions to which browsers may come back, newest last.
    var older: [Older] = []
  }

  struct Older: Codable, Equatable, Sendable {
    let version: String
    let keptUntil: Timestamp
  }

  /// The entries by ID.
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

  /// The checkpoint that keeps the text of a version.
  static func place(_ id: ProviderID, _ version: String) -> String { "plugin:\(id):\(version)" }

  /// Replaces a plug-in by a text or by nothing, and keeps the old version for a while.
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
      try writer.saveCheckpoint(Self.place(id, source.version), source.wholeText, in: .servers)
    }
    entries[id.rawValue] = Entry(
      version: source?.version, name: source?.name ?? old?.name ?? id.rawValue, path: path,
      publishedAt: now, older: kept)
  }
}
