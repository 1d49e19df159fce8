import Foundation
import Testing
import TestSupport

/// `kill -9` during a rekey, repeated until the rekey is complete.
@Suite struct `A killed rekey` {
  static let people = TestBudget.count("AUTHGRAPH_REKEYED_PEOPLE", usual: 600, soak: 1500)
  static let killsOfPlans = 3

  @Test func `goes on at its last batch, and rekeys no account twice`() throws {
    let folder = try TemporaryFolder()
    let records = (1...Self.people).map { number in
      #"{"localId":"u\#(number)","providerUserInfo":"#
        + #"[{"providerId":"apple.com","rawId":"old-\#(number)"}]}"#
    }
    let users = try folder.write(
      "users.json", "{\"users\": [\n" + records.joined(separator: ",\n") + "\n]}\n")
    #expect(try Program.run(["import", users], in: folder).status == 0)
    let pairs = (1...Self.people).map { "old-\($0),new-\($0)" }.joined(separator: "\n")
    let map = try folder.write("transfer.csv", pairs)
    let script = try folder.write(
      "rekey.lua",
      """
      print "planning"
      local plan = providers["apple.com"].rekey { map = "\(map)" }
      print "committing"
      plan:commit { reason = "team transfer", batch = 5 }
      print "done"
      """)

    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: .min ... .max, using: &generator)
    print("killed rekey: seed \(seed)")
    var kills = 0
    var delay = seed
    for _ in 0..<200 {
      delay = delay &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // A little longer each time, so that the rekey completes on any machine.
      let wait = 2_000 + UInt32(delay >> 33) % 30_000 + UInt32(kills) * 2_000
      // Plans are lost with the process, so a few of these kills are enough.
      let step = kills < Self.killsOfPlans ? "planning" : "committing"
      guard try Program.isKilled(script, in: folder, after: wait, of: step) else { break }
      kills += 1
    }

    print("killed rekey: \(kills) times")
    #expect(kills > Self.killsOfPlans + 1)
    let output = try folder.lua(
      """
      local rekeyed, events = 0, 0
      for account in accounts.each() do
        local entries = account.providerData
        assert(#entries == 1 and entries[1].uid == "new-" .. account.uid:sub(2), account.uid)
        rekeyed = rekeyed + 1
        for _, event in ipairs(account:history()) do
          if event.action == "rekey" then events = events + 1 end
        end
      end
      print(rekeyed, events, providers["apple.com"].rekeys()[1].progress.rekeyed)
      print(providers["apple.com"].rekeys()[1]:rollback({ reason = "test" }).changed)
      """)
    #expect(output == "\(Self.people)\t\(Self.people)\t\(Self.people)\n\(Self.people)")
    let check = try Program.run(["export"], in: folder)
    #expect(check.output.contains("old-\(Self.people)") && !check.output.contains("new-"))
  }
}
