import AuthCore
import TerminalOutput

/// The table of providers: which of them are set up, and with how many accounts.
struct ProviderTable {
  let table: TextTable

  /// Reads the settings and the numbers of accounts; throws if the store cannot be read.
  init(_ ids: [ProviderID], _ session: ConsoleSession) throws {
    let (settings, uses) = try session.wait { graph, scope in
      (try await graph.settings(of: scope), try await graph.providerUses(in: scope))
    }
    let counts = Dictionary(
      uses.map { ($0.provider, $0.accounts) }, uniquingKeysWith: { first, _ in first })
    var table = TextTable(columns: [
      TextTable.Column("id", keepsWhole: true), TextTable.Column("name", canBeSpared: true),
      TextTable.Column("kind", canBeSpared: true), "setUp", "accounts",
    ])
    for id in ids {
      let manifest = session.graph.providers[id]?.manifest
      let isSetUp = manifest?.isSetUp(as: id, in: settings) ?? false
      table.append([
        Cell(id.rawValue, style: isSetUp ? .accent : .muted), Cell(manifest?.name ?? ""),
        Cell(manifest?.kind.rawValue ?? ""),
        isSetUp ? Cell("yes", style: .good) : Cell("no", style: .muted),
        Cell(counts[id].map { "\($0)" } ?? ""),
      ])
    }
    self.table = table
  }
}
