import ArgumentParser
import AuthCore
import AuthTesting
import CLimits
import Foundation
import MeasuredWork
import PostgresStore
import SQLiteStore

/// Measures whole commands of the program, from start to end.
struct CommandsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commands",
    abstract: "Import, export and the console's start, beside C or SQLite's own shell.")

  @Option(parsing: .upToNextOption, help: "console, export, import, bulk-import, pg-import.")
  var commands = CommandBench.Kind.allCases

  @Option(help: "The number of accounts.") var accounts = 100_000
  @Option(help: "Rounds that count, of each side in turns.") var rounds = 5
  @Option(help: "A file for the results as JSON.") var json: String?

  func run() async throws {
    try await WorkFolder.use { folder in
      let bench = CommandBench(folder: folder, accounts: accounts)
      try bench.prepare()
      print(Comparison.header)
      var results: [Comparison] = []
      // One after another, so that processes of one command, such as a server, do not disturb another.
      for command in commands {
        results.append(try await bench.pair(command).compare(rounds: rounds))
      }
      try results.write(json: json)
    }
  }
}

struct CommandBench {
  let folder: String
  let accounts: Int

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case console, export
    case fileImport = "import"
    case bulkImport = "bulk-import"
    case serverImport = "pg-import"
  }

  private var people: String { "\(folder)/people.json" }
  private var store: String { "\(folder)/accounts.db" }

  func prepare() throws {
    try write(people)
    try fill(store)
  }

  func pair(_ kind: Kind) throws -> Pair {
    switch kind {
    case .console: console()
    case .export: export()
    case .fileImport: fileImport()
    case .bulkImport: bulkImport()
    case .serverImport: try serverImport()
    }
  }

  private func console() -> Pair {
    let uid = Person(0).id.rawValue
    return pair("console", "sqlite3 on the file", goal: nil, times: 10) { _ in
      try run(
        WorkFolder.program,
        [
          "console", "--store", "sqlite:\(store)", "--project", LIMITS_PROJECT, "-e",
          "accounts.get('\(uid)').email",
        ])
    } limit: { _ in
      try run("/usr/bin/sqlite3", [store, "SELECT email FROM accounts WHERE uid = '\(uid)'"])
    }
  }

  private func export() -> Pair {
    pair("export", "SQLite in C, reading", goal: nil, times: 1) { _ in
      try run(
        WorkFolder.program,
        [
          "export", "--store", "sqlite:\(store)", "--project", LIMITS_PROJECT, "--force",
          "\(folder)/copy.json",
        ])
    } limit: { _ in
      let limit = try FileLimit(
        path: store, texts: LimitsTexts(details: 0, trace: 0, merge: 0))
      _ = try await limit.run(.list, on: Array(repeating: 0, count: accounts / 1000), callers: 1)
    }
  }

  private func fileImport() -> Pair {
    pair("import", "SQLite in C, indexes in place", goal: 0.8, times: 1) { _ in
      try importFile([])
    } limit: { _ in
      let path = "\(folder)/fill.db"
      try remove(path)
      try SQLiteStore(path: path).close()
      try FileLimit.importAccounts(path: path, accounts: accounts)
    }
  }

  private func bulkImport() -> Pair {
    pair("bulk-import", "SQLite in C, sorted, indexes last", goal: 0.7, times: 1) { _ in
      try importFile(["--bulk"])
    } limit: { _ in
      let path = "\(folder)/fill.db"
      try remove(path)
      try fill(path)
    }
  }

  private func importFile(_ options: [String]) throws {
    let path = "\(folder)/import.db"
    try remove(path)
    try run(WorkFolder.program, ["import"] + options + ["--store", "sqlite:\(path)", people])
  }

  /// Measures an import into PostgreSQL; each round has a schema of its own.
  private func serverImport() throws -> Pair {
    let server = try PostgresServer()
    let schemas = Turns()
    @Sendable func next() -> String { "s\(schemas.next())" }
    return pair("pg-import", "COPY in C, indexes last", goal: 0.7, times: 1) { _ in
      try run(WorkFolder.program, ["import", "--store", server.url(schema: next()), people])
    } limit: { _ in
      let schema = next()
      try PostgresStore(url: server.url(schema: schema)).close()
      let limit = try ServerLimit(
        url: server.url(), schema: schema, connections: 1,
        texts: LimitsTexts(details: 0, trace: 0, merge: 0))
      try limit.fill(accounts: accounts, events: true)
    }
  }

  private func pair(
    _ operation: String, _ limitName: String, goal: Double?, times: Int,
    _ ours: @escaping Pair.Work, limit: @escaping Pair.Work
  ) -> Pair {
    Pair(
      subject: "command", operation: operation, limitName: limitName, goal: goal,
      accounts: accounts, times: times, ours: ours, limit: limit)
  }

  private func fill(_ path: String) throws {
    try SQLiteStore(path: path).close()
    try FileLimit.fill(path: path, accounts: accounts, events: true)
  }

  private func remove(_ path: String) throws {
    for file in [path, path + "-wal", path + "-shm"] {
      try? FileManager.default.removeItem(atPath: file)
    }
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Wrk.Failure(description: "\(program) \(arguments.joined(separator: " ")) failed.")
    }
  }

  /// Writes the accounts like an export, in the order of their uids, with three identities each.
  private func write(_ file: String) throws {
    var text = "{\"users\": [\n"
    let people = (0..<UInt32(accounts)).map { Person($0) }.sorted { $0.id < $1.id }
    for (number, person) in people.enumerated() {
      let common =
        #""email":"\#(person.email)","displayName":"\#(person.name)","photoUrl":"\#(person.photo)""#
      let entries = [
        ("google.com", person.google), ("facebook.com", person.facebook),
        ("github.com", person.github),
      ].map { #"{"providerId":"\#($0)","rawId":"\#($1)",\#(common)}"# }
      text += number == 0 ? "" : ",\n"
      text +=
        #"{"localId":"\#(person.id)",\#(common),"emailVerified":true,"createdAt":"1700000000000","#
      text += #""providerUserInfo":[\#(entries.joined(separator: ","))]}"#
    }
    try (text + "\n]}").write(toFile: file, atomically: true, encoding: .utf8)
  }
}
