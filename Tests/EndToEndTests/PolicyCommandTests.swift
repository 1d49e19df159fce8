import AuthCore
import Foundation
import Testing
import TestSupport

/// `authgraph policy test`, as a pipeline uses it.
@Suite struct `The policy commands` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func test(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["policy", "test"] + arguments, in: folder)
  }

  /// A policy with an example that passes, and one more example.
  private func policy(_ name: String, _ example: String) throws -> String {
    try folder.write(
      "\(name).lua",
      """
      return policy {
        name = "\(name)", on = { "credential-already-in-use" },
        decide = function(c)
          if c.current.isAnonymous then
            log.info("a visitor")
            return refuse "<a> & \\"b\\""
          end
          return merge { into = c.current, from = c.existing }
        end,
        examples = {
          { name = "members", expect = { into = "current" } }, \(example)
        },
      }
      """)
  }

  private static let visitor =
    "{ name = \"visitors\", current = { isAnonymous = true }, expect = { refuse = \"<a>\" } }"
  private static let wrong =
    "{ name = \"wrong\", current = { isAnonymous = true }, expect = { into = \"current\" } }"

  @Test func `a policy that passes has the status 0, and coverage if asked for`() throws {
    let file = try policy("whole", Self.visitor)
    let plain = try test(file)
    #expect(plain.status == 0, "\(plain.errors)")
    #expect(
      plain.output == """
        \(file)
          ok      members
          ok      visitors
        1 tested, 2 examples, 0 failed

        """)
    let covered = try test(file, "--coverage", "--complete")
    #expect(covered.status == 0, "\(covered.output)")
    #expect(covered.output.contains("(100 %), branches 2 of 2\n"))
    #expect(!FileManager.default.fileExists(atPath: folder.store))
  }

  @Test func `an example that fails, and missing coverage, have the status 1`() throws {
    let failing = try test(try policy("failing", Self.wrong))
    #expect(failing.status == 1)
    #expect(failing.output.contains("  failed  wrong\n          refused: <a> & \"b\"\n"))
    #expect(failing.output.contains("log info ") && failing.output.contains(": a visitor\n"))
    #expect(failing.output.hasSuffix("1 tested, 2 examples, 1 failed\n"))

    let partial = try policy("partial", "")
    #expect(try test(partial, "--coverage").status == 0)
    let complete = try test(partial, "--complete")
    #expect(complete.status == 1)
    #expect(
      complete.output.contains(
        "branches 1 of 2: line 4 never true; lines 5-6 never reached\n"), "\(complete.output)")
  }

  @Test func `a file that cannot be tested has the status 1, wrong arguments 64`() throws {
    let broken = try folder.write("broken.lua", "return policy {")
    for file in [broken, "\(folder.path)/missing.lua"] {
      let outcome = try test(file, "--coverage")
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("  failed  "))
      #expect(outcome.output.hasSuffix("1 tested, 0 examples, 0 failed, 1 could not be tested\n"))
    }
    #expect(try test().status == 64)
    #expect(try test(broken, "--covrage").status == 64)
  }

  @Test func `the JSON has each example, and the coverage if asked for`() throws {
    let file = try policy("partial", "")
    let text = try test(file, "--json", "--coverage")
    #expect(text.status == 0)
    let json = try JSONValue(text: text.output)
    guard case .array(let reports) = json, let report = reports.first else {
      Issue.record("\(text.output)")
      return
    }
    #expect(reports.count == 1)
    #expect(report["file"]?.stringValue == file && report["passed"] == true)
    #expect(report["obstacle"] == .null)
    guard case .array(let examples)? = report["examples"] else {
      Issue.record("\(text.output)")
      return
    }
    #expect(examples.compactMap { $0["name"]?.stringValue } == ["members"])
    #expect(examples.first?["plan"]?.stringValue?.hasPrefix("current absorbs existing") == true)
    #expect(report["coverage"]?["complete"] == false)
    #expect(report["coverage"]?["lines"]?["missed"] == [5, 6])
    let branches: JSONValue = [
      "count": 2, "reached": 1,
      "missed": [
        ["line": 4, "condition": "c.current.isAnonymous", "kind": "condition", "way": true]
      ],
    ]
    #expect(report["coverage"]?["branches"] == branches)
    let plain = try test(file, "--json")
    #expect(!plain.output.contains("coverage"))
  }

  @Test func `JUnit's XML is written for each file, and hostile text is escaped`() throws {
    let (whole, failing) = (try policy("whole", Self.visitor), try policy("failing", Self.wrong))
    let broken = try folder.write("broken.lua", "return policy { \"\\1\" ")
    let report = "\(folder.path)/junit.xml"
    _ = try folder.write("junit.xml", "an older report that is longer than nothing")
    #expect(try test(whole, failing, broken, "--junit", report).status == 1)
    let xml = try folder.read("junit.xml")
    #expect(
      xml.hasPrefix(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"5\" failures=\"1\" errors=\"1\">\n"
      ))
    #expect(xml.contains("<testsuite name=\"\(whole)\" tests=\"2\" failures=\"0\" errors=\"0\">"))
    #expect(xml.contains("<testcase classname=\"\(whole)\" name=\"members\"/>"))
    #expect(xml.contains("<failure message=\"refused: &lt;a&gt; &amp; &quot;b&quot;\"/>"))
    #expect(
      xml.contains("<testcase classname=\"\(broken)\" name=\"the file\">\n      <error message="))
    #expect(xml.contains("<property name=\"coverage\" value=\"lines "))
    #expect(xml.hasSuffix("</testsuites>\n"))
    // The text is XML: every element that opens also closes.
    let parser = XMLElements(xml)
    #expect(parser.isWhole)

    let complete = try test(try policy("partial", ""), "--complete", "--junit", report)
    #expect(complete.status == 1)
    let partial = try folder.read("junit.xml")
    #expect(partial.contains("name=\"coverage\">\n      <failure message=\"lines "))
    #expect(partial.contains("tests=\"2\" failures=\"1\" errors=\"0\""))

    let nowhere = try test(whole, "--junit", "\(folder.path)/none/junit.xml")
    #expect(nowhere.status == 1 && nowhere.errors.contains("cannot be written"))
  }
}

/// A check that a text of elements, without comments and sections, is nested properly.
private struct XMLElements {
  let isWhole: Bool

  init(_ text: String) {
    var open: [Substring] = []
    var isWhole = true
    for match in text.matches(of: /<(\/?)([a-z-]+)([^<>]*?)(\/?)>/) {
      let (_, closes, name, _, isAlone) = match.output
      if !closes.isEmpty {
        if open.popLast() != name { isWhole = false }
      } else if isAlone.isEmpty {
        open.append(name)
      }
    }
    self.isWhole = isWhole && open.isEmpty && !text.contains(/&(?!(amp|lt|gt|quot|#\d+);)/)
  }
}
