import AuthTesting
import Foundation
import TestSupport

/// Holds all remaining connections of a database.
///
/// One session of `psql` holds them by `dblink`; they end with it.
final class HeldConnections: Sendable {
  private let process: Process
  private let input = Pipe()

  init(of database: PostgresServer) throws {
    guard let port = database.port else { throw Failed(description: "a database has no port") }
    try database.run("set client_min_messages = warning; create extension if not exists dblink")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["psql", "-X", "-q", "-A", "-t", "-d", database.url()]
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let script = """
      do $$ declare held int := 0; begin loop
        perform dblink_connect('c' || held, 'host=127.0.0.1 port=\(port) user=postgres dbname=postgres');
        held := held + 1;
      end loop; exception when others then null; end $$;
      select 'held';

      """
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    // The line is printed when no connection is left.
    _ = output.fileHandleForReading.availableData
    self.process = process
  }

  /// Releases the connections.
  func release() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
