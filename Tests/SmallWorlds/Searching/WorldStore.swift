import AuthCore

/// The store of one small world, whose rows are taken out and put back.
///
/// It takes no locks and is safe all the same: one task owns it, and the world that works on it.
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
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try body(tables)
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountWriter) throws -> Result
  ) async throws -> Result {
    let before = tables.rows
    tables.begin()
    do {
      return try body(tables)
    } catch {
      tables.rows = before
      throw error
    }
  }

  func sweep<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreSweeper) throws -> Result
  ) async throws -> Result {
    throw AuthError(.operationNotAllowed, "Small worlds are not swept.")
  }
}
