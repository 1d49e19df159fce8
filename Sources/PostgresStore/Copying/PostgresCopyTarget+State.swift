import AuthCore
import Foundation
package import SQLAccounts

/// The progress of a copy, as its target stores it.
package enum CopyState: Hashable, Sendable {
  /// Rows are added after a place, or from the beginning.
  case adding(CopyPlace?)
  /// All rows were added and are being compared with the source.
  case comparing
  /// The source and the copy were equal at some moment.
  case equal
  /// The source takes no more writes; the copy is a store of its own.
  case final
}

extension PostgresCopyTarget {
  /// Begins a copy of the named store, or returns the progress of the one that is there.
  ///
  /// Throws `operation-not-allowed` if the schema holds anything else, or a copy that has become a store of its own.
  package func begin(copyOf name: String) throws -> CopyState {
    try reporting {
      try again { connection in
        try connection.execute(
          """
          CREATE TABLE IF NOT EXISTS store_copy (
            one SMALLINT NOT NULL PRIMARY KEY CHECK (one = 1),
            source TEXT NOT NULL, state TEXT NOT NULL, place TEXT)
          """)
        let answer = try connection.execute("SELECT source, state, place FROM store_copy")
        guard answer.rowCount > 0 else {
          try checkEmpty(connection)
          try connection.execute(
            "INSERT INTO store_copy VALUES (1, \(SQLLiteral.text(name)), 'adding', NULL)")
          return .adding(nil)
        }
        let row = answer.row(0)
        guard row.text(0) == name else {
          throw refusal("is a copy of another store.")
        }
        switch row.text(1) {
        case "final":
          throw refusal("was completed, and may have been changed by its own servers since.")
        case "equal": return .equal
        case "comparing": return .comparing
        default: return .adding(row.text(2).flatMap(CopyPlace.init(text:)))
        }
      }
    }
  }

  /// Stores that a part of the work is done.
  package func reached(_ state: CopyState) throws {
    let word =
      switch state {
      case .adding: "adding"
      case .comparing: "comparing"
      case .equal: "equal"
      case .final: "final"
      }
    try reporting {
      // Synchronously, which also flushes everything before.
      _ = try again { connection in
        try connection.execute(
          """
          BEGIN; SET LOCAL synchronous_commit = on;
          UPDATE store_copy SET state = '\(word)', place = NULL; COMMIT
          """)
      }
    }
  }

  private func checkEmpty(_ connection: PostgresConnection) throws {
    for table in CopiedTable.all {
      let answer = try connection.execute("SELECT 1 FROM \(table.name) LIMIT 1")
      guard answer.rowCount == 0 else {
        throw refusal("holds something already, and is no copy of the store.")
      }
    }
  }

  private func refusal(_ words: String) -> AuthError {
    AuthError(
      .operationNotAllowed, "The schema \(options.schema) of \(options.place) \(words)",
      field: "to",
      remedy: "Name another schema with ?schema=NAME; this one was left as it is.")
  }
}

extension PostgresConnection {
  /// Takes the lock that keeps other processes from copying to the same schema.
  ///
  /// Waits up to `patience`, because a server notices the death of an earlier process with some delay.
  func claimCopy(_ options: ConnectionOptions, patience: Duration) throws {
    let lock = options.lockNumber("copy")
    let deadline = ContinuousClock.now + patience
    while try execute("SELECT CAST(pg_try_advisory_lock(\(lock)) AS TEXT)").row(0).text(0) != "true"
    {
      guard ContinuousClock.now < deadline else {
        throw AuthError(
          .operationNotAllowed,
          "Another copy to the schema \(options.schema) of \(options.place) is under way.",
          field: "to", remedy: "Wait until it ends.")
      }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }

  func keep(_ place: CopyPlace) throws {
    try execute("UPDATE store_copy SET place = \(SQLLiteral.text(place.text))")
  }

  func storedPlace() throws -> CopyPlace? {
    let answer = try execute("SELECT place FROM store_copy")
    guard answer.rowCount > 0 else { return nil }
    return answer.row(0).text(0).flatMap(CopyPlace.init(text:))
  }
}
