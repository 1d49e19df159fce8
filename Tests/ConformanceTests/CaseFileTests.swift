import AuthValues
import Foundation
import Testing

@testable import Conformance

@Suite struct `Files of cases` {
  /// The folder of the suite's files.
  private static let folder = URL(filePath: #filePath)
    .appending(path: "../../../Sources/Conformance/Cases").standardized

  @Test func `every file of the folder is in the program, byte by byte`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    #expect(CaseFile.embedded.map(\.name).sorted() == names)
    for file in CaseFile.embedded {
      let bytes = try Data(contentsOf: Self.folder.appending(path: file.name))
      #expect(Array(bytes) == file.bytes, "\(file.name)")
    }
  }

  @Test func `every file is read, and no name occurs twice in an area`() throws {
    let files = try CaseFile.shipped()
    #expect(files.count > 20)
    #expect(Set(files.map(\.area)).count == files.count)
    let cases = files.flatMap(\.cases)
    #expect(cases.count > 320)
    #expect(Set(cases.map { "\($0.area): \($0.name)" }).count == cases.count)
    for mode in ConformanceMode.allCases {
      #expect(cases.count { $0.modes.contains(mode) } > 200, "\(mode.rawValue)")
    }
    for item in cases {
      // A case without a step in one of its modes would always pass.
      for mode in item.modes {
        #expect(item.steps.contains { $0.modes.contains(mode) }, "\(item.area): \(item.name)")
      }
    }
  }

  private static let good =
    #"{"area": "a", "cases": [{"name": "n", "steps": [{"send": "GET /v1/projects"}]}]}"#

  @Test func `a step has its defaults`() throws {
    let file = try CaseFile("x.json", Array(Self.good.utf8))
    let step = try #require(file.cases.first?.steps.first)
    #expect(file.cases.first?.modes == [.emulator, .production])
    #expect(step.method == .get && step.path == "/v1/projects" && step.caller == .client)
    #expect(step.body == nil && step.headers.isEmpty)
    #expect(step.expected.status == 200)
    let refused = try Self.step(#"{"send": "POST /x", "error": "CODE"}"#)
    #expect(refused.expected.status == 400)
    let closed = try Self.step(#"{"send": "POST /x", "error": "CODE", "status": 403}"#)
    #expect(closed.expected.status == 403)
  }

  private static func step(_ text: String) throws -> ConformanceStep {
    let text = #"{"area": "a", "cases": [{"name": "n", "steps": [\#(text)]}]}"#
    return try #require(try CaseFile("x.json", Array(text.utf8)).cases.first?.steps.first)
  }

  /// A step or a case with one fault, and words of its error.
  struct Fault: Sendable, CustomTestStringConvertible {
    let text: String
    let words: [String]
    var testDescription: String { text }

    init(_ text: String, _ words: String...) {
      self.text = text
      self.words = words
    }
  }

  private static let faultySteps: [Fault] = [
    Fault(#"{"sends": "GET /x"}"#, "\"sends\"", "Did you mean \"send\"?"),
    Fault(#"{"as": "client"}"#, "\"send\" is missing"),
    Fault(#"{"send": "FETCH /x"}"#, "\"send\""), Fault(#"{"send": "GET x"}"#, "\"send\""),
    Fault(#"{"send": "GET /x y"}"#, "\"send\""), Fault(#"{"send": 7}"#, "\"send\""),
    Fault(#"{"send": "GET /x", "as": "root"}"#, "\"root\""),
    Fault(#"{"send": "GET /x", "modes": ["emulater"]}"#, "Did you mean \"emulator\"?"),
    Fault(#"{"send": "GET /x", "modes": []}"#, "\"modes\""),
    Fault(#"{"send": "GET /x", "status": "200"}"#, "\"status\""),
    Fault(#"{"send": "GET /x", "lacks": "a"}"#, "\"lacks\""),
    Fault(#"{"send": "GET /x", "headers": {"a": 1}}"#, "\"headers\""),
    Fault(#"{"send": "POST /x", "body": {}, "form": {}}"#, "body and form"),
    Fault(#"{"send": "GET /x", "answer": {"a": {"$keeps": "b"}}}"#, "$keeps", "Did you mean"),
    Fault(#"{"send": "GET /x", "answer": {"a": {"$keep": "b", "c": 1}}}"#, "matchers and members"),
    Fault(#"{"send": "GET /x", "answer": {"$absent": true, "$type": "string"}}"#, "alone"),
    Fault(#"{"send": "GET /x", "answer": {"$absent": false}}"#, "\"$absent\""),
    Fault(#"{"send": "GET /x", "answer": {"$type": "text"}}"#, "\"$type\""),
    Fault(#"{"send": "GET /x", "answer": {"$keep": "a b"}}"#, "\"$keep\""),
    Fault(#"{"send": "GET /x", "answer": {"$count": -1}}"#, "\"$count\""),
    Fault(#"{"send": "GET /x", "answer": {"$matches": "("}}"#, "regular expression"),
    Fault(#"{"send": "GET /x", "answer": {"$parameter": {"off": "x"}}}"#, "\"off\""),
    Fault(#"{"send": "GET /x", "answer": {"$parameter": {"keep": "x"}}}"#, "\"of\" is missing"),
    Fault(#"{"send": "GET /x", "answer": {"a": "${nobody}"}}"#, "${nobody}"),
    Fault(#"{"send": "GET /x/${uid}"}"#, "${uid}"),
    Fault(#"{"send": "POST /x", "body": {"email": "${emial}"}}"#, "Did you mean \"email\"?"),
    Fault(#"{"send": "GET /x", "error": "${nobody}"}"#, "${nobody}"),
    Fault(#"{"send": "GET /emulator/v1/projects/x/config"}"#, "emulator alone"),
  ]

  @Test(arguments: faultySteps)
  func `a fault of a step is named with its file, case and step`(_ fault: Fault) throws {
    let error = try #require(throws: AuthError.self) {
      let text =
        #"{"area": "a", "cases": [{"name": "the case", "steps": [{"send": "GET /y"}, \#(fault.text)]}]}"#
      _ = try CaseFile("faulty.json", Array(text.utf8))
    }
    #expect(error.code == .invalidArgument)
    #expect(error.message.hasPrefix("faulty.json, “the case”, step 2: "), "\(error)")
    for word in fault.words { #expect("\(error)".contains(word), "\(error)") }
  }

  private static let faultyFiles: [Fault] = [
    Fault("", "faulty.json"), Fault("[]", "not an object"), Fault("{", "JSON"),
    Fault(#"{"area": "a"}"#, "\"cases\" is missing"),
    Fault(#"{"cases": []}"#, "\"area\" is missing"),
    Fault(#"{"area": "a", "cases": [], "more": 1}"#, "\"more\""),
    Fault(#"{"area": "a", "area": "b", "cases": []}"#, "JSON"),
    Fault(#"{"area": "a", "cases": [{"name": "n"}]}"#, "“n”", "\"steps\" is missing"),
    Fault(#"{"area": "a", "cases": [{"name": "n", "steps": []}]}"#, "at least one"),
    Fault(#"{"area": "a", "cases": [{"steps": [{"send": "GET /x"}]}]}"#, "\"name\" is missing"),
    Fault(
      #"{"area": "a", "cases": [{"name": "n", "setting": {}, "steps": []}]}"#,
      "Did you mean \"settings\"?"),
    Fault(
      #"{"area": "a", "cases": [{"name": "n", "steps": [{"send": "GET /x"}]}, {"name": "n", "steps": [{"send": "GET /x"}]}]}"#,
      "Two cases have this name"),
  ]

  @Test(arguments: faultyFiles)
  func `a fault of a file is named`(_ fault: Fault) throws {
    let error = try #require(throws: AuthError.self) {
      _ = try CaseFile("faulty.json", Array(fault.text.utf8))
    }
    #expect(error.message.hasPrefix("faulty.json"))
    for word in fault.words { #expect("\(error)".contains(word), "\(error)") }
  }

  @Test func `a name that an earlier step keeps is known, a later one is not`() throws {
    let keeps = #"{"send": "GET /x", "answer": {"id": {"$keep": "uid"}}}"#
    let uses = #"{"send": "GET /x/${uid}"}"#
    func file(_ steps: String) throws {
      let text = #"{"area": "a", "cases": [{"name": "n", "steps": [\#(steps)]}]}"#
      _ = try CaseFile("x.json", Array(text.utf8))
    }
    try file("\(keeps), \(uses)")
    #expect(throws: AuthError.self) { try file("\(uses), \(keeps)") }
  }

  @Test func `the article names every matcher, and every name that a case has`() throws {
    let article = try String(
      contentsOf: Self.folder.appending(path: "../../Commands/Commands.docc/Conformance.md"),
      encoding: .utf8)
    for word in MatcherReader.words { #expect(article.contains("\"\(word)\""), "\(word)") }
    for name in CaseValues.givenNames { #expect(article.contains("`${\(name)}`"), "\(name)") }
  }

  @Test func `names in a text are found, and dollars without a name are text`() {
    let parts = CaseTemplate.parts(of: "a${b}c$ ${ ${d e} ${f}")
    #expect(
      parts.filter { if case .name = $0 { true } else { false } } == [.name("b"), .name("f")])
    let text = parts.map {
      switch $0 {
      case .text(let text): text
      case .name(let name): "${\(name)}"
      }
    }
    #expect(text.joined() == "a${b}c$ ${ ${d e} ${f}")
  }
}
