import AuthCore
import Foundation
import PostgresStore
import SQLiteStore

/// Checks a store: damage, or the state that its server reports, writability, and free space.
struct StoreHealthCheck {
  let store: any AccountStore
  let location: StoreLocation

  /// The free space in bytes below which a warning is given; below a tenth of it, an error.
  private static let room: UInt64 = 500 << 20

  func run() async -> [Diagnosis] {
    var diagnoses: [Diagnosis] = []
    if let store = store as? SQLiteStore { diagnoses += await damage(store) }
    if let store = store as? PostgresStore { diagnoses += await server(store) }
    diagnoses.append(await writing())
    if case .sqlite(let path) = location { diagnoses.append(Self.space(beside: path)) }
    return diagnoses
  }

  private func damage(_ store: SQLiteStore) async -> [Diagnosis] {
    do {
      let damage = try await store.checkIntegrity()
      guard damage.isEmpty else { return damage.map { .wrong("store", $0) } }
      return [.ok("store", "\(location) is sound.")]
    } catch {
      return [.wrong("store", error)]
    }
  }

  private func server(_ store: PostgresStore) async -> [Diagnosis] {
    do {
      let server = try await store.server()
      var diagnoses: [Diagnosis] = [
        .ok("store", "\(location) is \(server.version), in the schema \(server.schema).")
      ]
      if !server.isEncrypted {
        diagnoses.append(
          .warning(
            "store", "The connection is not encrypted. Add sslmode=verify-full to the store's URL.")
        )
      }
      if server.isPooled {
        diagnoses.append(
          .ok("store", "A pooler is in between, and keeps each connection for its client."))
      }
      if server.isReadOnly {
        diagnoses.append(
          .wrong("store", "The server is read-only. Name the primary in the store's URL."))
      }
      if let most = server.mostConnections, server.connections * 2 > most {
        diagnoses.append(
          .warning(
            "store",
            "Two servers with up to \(server.connections) connections each want more than the \(most) that "
              + "PostgreSQL takes. Raise max_connections, or lower connections in the store's URL.")
        )
      }
      let unknown = try await store.unanalysedTables()
      if !unknown.isEmpty {
        diagnoses.append(
          .warning(
            "store",
            "PostgreSQL has no statistics of \(unknown.joined(separator: ", ")), and may read too much. "
              + "Run ANALYZE, as after every restore."))
      }
      return diagnoses
    } catch {
      return [.wrong("store", error)]
    }
  }

  private struct TakenBack: Error {}

  /// Writes to the store in a transaction that is never committed.
  private func writing() async -> Diagnosis {
    do {
      try await store.write { writer in
        try writer.saveCheckpoint("doctor", "was here", in: Scope(project: "doctor"))
        throw TakenBack()
      }
      return .wrong("store", "A write that was taken back was kept.")
    } catch is TakenBack {
      return .ok("store", "It can be written.")
    } catch {
      return .wrong("store", error)
    }
  }

  private static func space(beside path: String) -> Diagnosis {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.uint64Value else {
      return .warning("disk", "The free space beside the store is unknown.")
    }
    let text = "\(free >> 20) MB are free beside the store."
    if free < room / 10 { return .wrong("disk", text) }
    return free < room ? .warning("disk", text) : .ok("disk", text)
  }
}
