import Foundation
import Testing
import TestSupport

@Suite struct `C10: policies at the console` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `C10: a test of examples has the time of the machine, or the example's`() throws {
    let file = try folder.write(
      "clock.lua",
      """
      return policy {
        name = "clock", on = { "credential-already-in-use" },
        decide = function(c)
          log.info("asked at " .. time.format(time.now()))
          return refuse(("now=%d random=%d"):format(time.now(), math.random(1000)))
        end,
        examples = {
          { name = "now", expect = { refuse = "now=" } },
          { name = "then", now = "2026-05-01", expect = { refuse = "now=1777593600000 " } },
          { name = "wrong", now = "2026-05-01", expect = { into = "current" } },
        },
      }
      """)
    let output = try folder.lua(
      """
      local before = time.now()
      local results = policy.test "\(file)"
      local shown = time.parse(results[1].log[1]:match("asked at (%S+)"))
      print(before <= shown and shown <= time.now())
      for _, r in ipairs(results) do print(r.name, r.passed, #r.log) end
      print(results[2].log[1])
      print(results[3].failure:match("random=%d+") == policy.test("\(file)")[3].failure:match("random=%d+"))
      """)
    let lines = output.split(separator: "\n").map(String.init)
    #expect(lines.prefix(4) == ["true", "now\ttrue\t1", "then\ttrue\t1", "wrong\tfalse\t1"])
    #expect(lines.dropFirst(4).first?.hasSuffix(":4: asked at 2026-05-01T00:00:00.000Z") == true)
    #expect(lines.last == "true", "\(output)")
    let shown = try Program.run(["-e", "policy.test \"\(file)\""], in: folder)
    #expect(shown.output.contains("log") && shown.output.contains("asked at 2026-05-01"))
    let json = try Program.run(["--json", "-e", "policy.test \"\(file)\""], in: folder)
    #expect(json.output.contains("asked at 2026-05-01"), "\(json.output)\(json.errors)")
  }

  @Test func `C10: a decision has the time of the conflict, no memory, and its log is shown`()
    throws
  {
    let file = try folder.write(
      "counting.lua",
      """
      local n = 0
      return policy {
        name = "counting", on = { "credential-already-in-use" },
        decide = function(c)
          n = n + 1
          log.warn("decision " .. n .. " at " .. time.now())
          if time.now() - c.existing.createdAt > 60000 then return refuse "older than a minute" end
          return refuse("decision " .. n)
        end,
      }
      """)
    let outcome = try folder.run(
      """
      local fake = providers["fake.example"].credential
      local other = providers["other.example"].credential
      policy.use "\(file)"
      local ada = auth.signIn(fake { subject = "1" }).account
      local eve = auth.signIn(other { subject = "9" }).account
      local before = time.now()
      for _ = 1, 3 do
        local ok, err = pcall(function() ada:link(other { subject = "9" }) end)
        print(ok, err.code)
      end
      for _, event in ipairs(audit.tail(3)) do
        local steps = why(event.id).steps
        print(steps[#steps].result:match "decision %d")
      end
      print(before)
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let conflict = "false\tmerge-refused"
    #expect(lines.prefix(3) == [conflict, conflict, conflict], "\(lines)")
    #expect(lines.dropFirst(3).prefix(3) == ["decision 1", "decision 1", "decision 1"], "\(lines)")
    let logged = outcome.errors.split(separator: "\n")
      .filter { $0.hasPrefix("policy counting warn: decision 1 at ") }
    #expect(logged.count == 3, "\(outcome.errors)")
    let before = try #require(lines.last.flatMap { Int($0) })
    for line in logged {
      let time = try #require(line.split(separator: " ").dropFirst(6).first.flatMap { Int($0) })
      #expect(time >= before && time < before + 600_000)
    }
  }

  @Test func `C10: every policy that ships passes its examples`() throws {
    let policies = "\(Program.root)/Scripts/policies"
    let files = try FileManager.default.contentsOfDirectory(atPath: policies)
      .filter { $0.hasSuffix(".lua") }.sorted()
    #expect(files.count >= 4)
    for file in files {
      let output = try folder.lua(
        """
        for _, r in ipairs(policy.test "Scripts/policies/\(file)") do
          if not r.passed then print(r.name, r.failure) end
        end
        """)
      #expect(output == "", "\(file)")
    }
  }
}
