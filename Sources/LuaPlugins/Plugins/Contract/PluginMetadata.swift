/// The facts about a plug-in file itself, for people and for publishing.
public struct PluginMetadata: Sendable, Hashable {
  /// The version of the file, which its author counts; nil if the file has none.
  public var version: SemanticVersion?
  /// The author, for people.
  public var author: String?
  /// The licence, as an SPDX expression such as `Apache-2.0`.
  public var license: String?
  /// The icon: an https or data address, or the name of a file beside the plug-in.
  public var icon: PluginIcon?
  /// The condition on the program, such as `authgraph >= 1.0`.
  public var requires: String?
  /// The language of the file; nil if the file does not name it, which means 1.
  public var api: Int64?

  /// The fields that have a value, as text by name.
  public var texts: [(name: String, text: String)] {
    [
      ("release", version?.description), ("author", author), ("license", license),
      ("icon", icon?.description), ("requires", requires),
    ].compactMap { name, text in text.map { (name, $0) } }
  }
}
