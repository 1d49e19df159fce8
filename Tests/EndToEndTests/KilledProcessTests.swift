import AuthTesting
import Foundation
import Testing
import TestSupport

/// `kill -9` during writes, twenty times on one store, in a soak a hundred times.
@Suite struct `A killed process` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A script that writes without end and prints each acknowledgement.
  private static let writer = """
    local run = arg[1]
    for i = 1, 1e9 do
      local uid = run .. "-" .. i
      accounts.create { uid = uid, email = uid .. "@example.com" }
      print("created " .. uid)
      accounts.get(uid):link { providerID = "github.com", subject = uid }
      print("linked " .. uid)
      if i % 2 == 0 then
        local receipt = merge.plan(run .. "-" .. (i - 1), uid):commit { reason = "kill" }
        print("merged " .. uid .. " " .. receipt.id)
        if i % 4 == 0 then
          merge.undo(receipt)
          print("undone " .. uid)
        end
      end
    end
    """

  @Test func `loses nothing that was acknowledged, and breaks nothing`() throws {
    let script = try folder.write("writer.lua", Self.writer)
    var delays = SeededGenerator()
    print("killed process: \(delays)")
    var acknowledged: [Substring] = []
    for run in 1...TestBudget.count("AUTHGRAPH_KILLS", usual: 20, soak: 100) {
      acknowledged += try killed(
        script, run: "r\(run)", after: .milliseconds(Int(delays.next() % 60) + 5))
    }
    #expect(acknowledged.count > 50)
    try check(acknowledged)
    #expect(try sqlite("pragma integrity_check") == "ok")
    #expect(try sqlite("pragma foreign_key_check").isEmpty)
    // No web service receives events, so none is waiting.
    #expect(try sqlite("select count(*) from outbox") == "0")
  }

  /// Runs the writer, kills it some time after its first answer, and returns every whole line that it printed.
  private func killed(_ script: String, run: String, after delay: Duration) throws -> [Substring] {
    let process = Process()
    process.executableURL = URL(filePath: Program.path)
    process.arguments = ["run", script, run]
    process.environment = folder.environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var data = output.fileHandleForReading.availableData
    usleep(UInt32(delay.components.attoseconds / 1_000_000_000_000))
    kill(process.processIdentifier, SIGKILL)
    data += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal, "run \(run) ended by itself")
    let whole = String(decoding: data, as: UTF8.self)
    return whole[..<(whole.lastIndex(of: "\n") ?? whole.startIndex)].split(separator: "\n")
  }

  /// Verifies each acknowledgement in the store, in one script.
  private func check(_ acknowledged: [Substring]) throws {
    let list = try folder.write("acknowledged.txt.lua", Self.checker(acknowledged))
    let outcome = try Program.run(["run", list], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "all there\n")
  }

  private static func checker(_ acknowledged: [Substring]) -> String {
    let lines = acknowledged.map { "[[\($0)]]" }.joined(separator: ",\n")
    return """
      local undone = {}
      local lines = {
      \(lines)
      }
      for _, line in ipairs(lines) do
        local uid = line:match "^undone (%S+)"
        if uid then undone[uid] = true end
      end
      for _, line in ipairs(lines) do
        local what, uid = line:match "^(%a+) (%S+)"
        local account = accounts.get(uid)
        assert(account, line)
        if what == "linked" then
          local owner = accounts.find { providerID = "github.com", subject = uid }[1]
          assert(owner and owner.uid == account.uid, line)
        elseif what == "undone" then
          assert(account.uid == uid, line)
        end
      end
      local owners = {}
      for account in accounts.each() do
        for _, entry in ipairs(account.providerData) do
          local key = entry.providerID .. "/" .. entry.uid
          assert(not owners[key], key)
          owners[key] = account.uid
        end
      end
      print "all there"
      """
  }

  private func sqlite(_ query: String) throws -> String {
    try runProgram("sqlite3", [folder.store, query]).trimmingCharacters(in: .newlines)
  }
}
