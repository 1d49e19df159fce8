import AuthCore

/// The change of what a plug-in may do, from an installed version to a new one.
public struct PluginDifference: Sendable, Hashable, CustomStringConvertible {
  /// One change of a list, such as that of the hosts.
  public struct Change: Sendable, Hashable {
    /// The list: `hosts`, `secrets`, `functions` or `abilities`.
    public let list: String
    /// The entries that are new.
    public let added: [String]
    /// The entries that are gone.
    public let removed: [String]
  }

  /// The lists that differ.
  public let changes: [Change]

  /// Compares two declarations; everything is new without an old one.
  public init(from old: PluginDeclaration?, to new: PluginDeclaration) {
    let lists: [(String, (PluginDeclaration) -> Set<String>)] = [
      ("hosts", { Set($0.hosts) }),
      ("secrets", { Set($0.settings.filter { $0.type == .secret }.map(\.name)) }),
      ("functions", \.functions), ("abilities", \.abilities),
    ]
    changes = lists.compactMap { name, read in
      let (before, after) = (old.map(read) ?? [], read(new))
      guard before != after else { return nil }
      return Change(
        list: name, added: after.subtracting(before).sorted(),
        removed: before.subtracting(after).sorted())
    }
  }

  /// One line for each list, with + before what is new and - before what is gone.
  public var description: String {
    guard !changes.isEmpty else { return "hosts, secrets, functions and abilities stay the same" }
    return changes.map { change in
      let entries = change.added.map { "+\($0)" } + change.removed.map { "-\($0)" }
      return "\(change.list): \(entries.joined(separator: " "))"
    }.joined(separator: "\n")
  }
}

extension PluginDeclaration {
  /// The abilities of the provider: its credentials, its endpoints and the scopes that it requests.
  var abilities: Set<String> {
    let credentials = builders.map { "credential.\($0.name)" }
    let endpoints = urls.map { "\($0.key)=\($0.value)" }
    return Set(credentials + endpoints + scopes.map { "scope.\($0)" })
  }
}
