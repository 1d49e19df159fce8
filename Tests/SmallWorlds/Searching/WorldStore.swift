import AuthCore

/// The store of one small world, whose rows can be saved and restored.
///
/// It takes no locks and is safe all the same: only one task owns it, and the world that works on it.
final class WorldStore: AccountStore, @unchecked Sendable {
  private let tables: WorldTables

  init(_ tables: WorldTables = WorldTables()) {
    self.tables = tables
  }

  var rows: WorldRows {
    get { tables.rows }
    set { tables.rows = newValue }
  }

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try body(tables)
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    let before = tables.rows
    tables.begin()
    do {
      let ending = try body(tables)
      if case .takeBack = ending { tables.rows = before }
      return ending.result
    } catch {
      tables.rows = before
      throw error
    }
  }
}
