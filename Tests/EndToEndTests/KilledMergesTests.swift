import Foundation
import Testing
import TestSupport

/// `kill -9` in the middle of a batch of merges, and in the middle of its undo.
@Suite struct `A killed batch of merges` {
  static let pairs = TestBudget.count("AUTHGRAPH_MERGED_PAIRS", usual: 300, soak: 10_000)
  static let kills = 2
  /// The longest time before a kill grows with the work.
  private static let longest = UInt32(max(60_000, 200 * pairs))

  /// Pairs of accounts with one address; every tenth address has a third account.
  private func records() -> [String] {
    (1...Self.pairs).flatMap { number -> [String] in
      let isThird = number.isMultiple(of: 10)
      let email = "p\(isThird ? number - 1 : number)@example.com"
      let second =
        #"{"localId":"b\#(number)","email":"\#(email)","displayName":"B \#(number)","#
        + #""photoUrl":"https://img.example/\#(number)","createdAt":"1700000001000"}"#
      guard !isThird else { return [second] }
      let first =
        #"{"localId":"a\#(number)","email":"\#(email)","emailVerified":true,"#
        + #""createdAt":"1700000000000","lastLoginAt":"1700000005000","providerUserInfo":"#
        + #"[{"providerId":"google.com","rawId":"g\#(number)"}]}"#
      return [first, second]
    }
  }

  private func export(_ folder: TemporaryFolder) throws -> String {
    let run = try Program.run(["export"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  /// Kills a script twice, with a little more time each time, and lets it end then.
  private func killing(_ script: String, _ step: String, _ folder: TemporaryFolder) throws {
    var seed = UInt64.random(in: .min ... .max)
    print("killed merges: \(step), seed \(seed)")
    for turn in 1...Self.kills {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let wait = UInt32(turn) * 30_000 + UInt32(seed >> 33) % Self.longest
      #expect(try Program.isKilled(script, in: folder, after: wait, of: step))
    }
    let run = try Program.run(["run", script], in: folder)
    #expect(run.status == 0 && run.output.contains("done"), "\(run.errors)")
  }

  @Test func `goes on, merges nothing twice, and is undone without a trace in the export`() throws {
    let folder = try TemporaryFolder()
    let users = try folder.write(
      "users.json", "{\"users\": [\n" + records().joined(separator: ",\n") + "\n]}\n")
    #expect(try Program.run(["import", users], in: folder).status == 0)
    let before = try export(folder)
    let committing = try folder.write(
      "commit.lua",
      """
      local known = merge.batches()[1]
      local list = not known and merge.planAll { by = "email" }
      print "committing"
      local done
      if known then
        done = merge.batch(known.id):commit { reason = "duplicates" }
      else
        done = list:commit { reason = "duplicates" }
      end
      assert(#done.refused == 0 and done.open == 0 and done.changed == 0, json.encode(done))
      print "done"
      """)
    let undoing = try folder.write(
      "undo.lua",
      """
      local batch = merge.batch(merge.batches()[1].id)
      print "undoing"
      local done = batch:undo { reason = "wrong list" }
      assert(#done.refused == 0, json.encode(done.refused))
      print "done"
      """)

    try killing(committing, "committing", folder)
    let merged = try folder.lua(
      """
      local id = merge.batches()[1].id
      local absorbed, twice = 0, 0
      local seen = {}
      for _, entry in ipairs(merge.list { batch = id }) do
        assert(entry.batch == id and not entry.undoneBy)
        if seen[entry.absorbed] then twice = twice + 1 end
        seen[entry.absorbed] = true
        absorbed = absorbed + 1
      end
      print(#merge.batches(), absorbed, twice, #merge.list(), accounts.count())
      """)
    let firsts = Self.pairs - Self.pairs / 10
    #expect(merged == "1\t\(Self.pairs)\t0\t\(Self.pairs)\t\(firsts)")

    try killing(undoing, "undoing", folder)
    #expect(try export(folder) == before)
    #expect(
      try folder.lua("print(merge.batch(merge.batches()[1].id):undo({}).already)")
        == "\(Self.pairs)")
  }
}
