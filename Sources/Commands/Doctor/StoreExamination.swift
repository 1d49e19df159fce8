import AuthCore
import Foundation
import SQLiteStore

/// Looks at a store: damage, whether it can be written, and room for more.
struct StoreExamination {
  let store: SQLiteStore
  let location: StoreLocation

  /// Less room than this is a warning, and a tenth of it an error; in bytes.
  private static let room: UInt64 = 500 << 20

  func run() async -> [Diagnosis] {
    var diagnoses: [Diagnosis] = []
    do {
      let damage = try await store.checkIntegrity()
      diagnoses += damage.map { .wrong("store", $0) }
      if damage.isEmpty { diagnoses.append(.ok("store", "\(location) is sound.")) }
    } catch {
      diagnoses.append(.wrong("store", error))
    }
    diagnoses.append(await writing())
    if case .sqlite(let path) = location { diagnoses.append(Self.space(beside: path)) }
    return diagnoses
  }

  private struct TakenBack: Error {}

  /// Writes something that is never committed.
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
      return .warning("disk", "How much room there is cannot be told.")
    }
    let text = "\(free >> 20) MB are free beside the store."
    if free < room / 10 { return .wrong("disk", text) }
    return free < room ? .warning("disk", text) : .ok("disk", text)
  }
}
