import Foundation
import Testing
import TestSupport

/// Standard input runs as if it were typed.
@Suite struct `Piped input` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.lua("accounts.create { uid = 'linus' }")
  }

  static let destruction = "accounts.get('linus'):delete { reason = 'test' }\n"

  @Test(arguments: [
    "exit\n", "quit\n", "  exit\t\n", "exit;\n", "quit ; ;\n", "exit -- bye\n", "exit\r\n",
    "quit\r",
    "exit()\n", "quit()\n", "exit ()\n", "exit(0)\n", "exit(true)\n", "\n\nexit\n",
    "-- first\nexit\n",
    "for i = 1, 2 do\n  x = i\nend\nexit\n", "x = {\n}\nexit\n", "x = [[\nexit\n]]\nexit\n",
    "local x = 1\nexit\n", "local function f()\n  return 1\nend\nf()\nquit\n",
    "local x = 1\nexit()\n",
    "pcall(exit)\n", "coroutine.wrap(exit)()\n", "exit = 5\nexit\n",
  ])
  func `C5: a word or a call that leaves ends the input`(leaving: String) throws {
    let outcome = try Program.run(
      [], in: folder,
      input: "print(accounts.count())\n" + leaving + Self.destruction + "print 'on'\n")

    #expect(outcome.status == 0 && outcome.output == "1\n" && outcome.errors == "", "\(outcome)")
    #expect(try folder.lua("accounts.count()") == "1")
  }

  @Test(arguments: [
    ("exit(3)", 3), ("quit(255)", 255), ("exit(false)", 1), ("pcall(exit, 4)", 4),
    ("pcall(pcall, exit, 4)", 4), ("coroutine.wrap(function() exit(6) end)()", 6),
    ("table.sort({ 2, 1 }, function() exit(7) end)", 7), ("exit(2.0)", 2),
    ("for _ in function() exit(8) end do end", 8),
  ])
  func `C5: a script leaves with a status, and nothing catches that`(
    leaving: String, status: Int
  ) throws {
    let code = leaving + " " + Self.destruction
    for (arguments, input) in [
      (["run", try folder.write("leaves.lua", code)], ""), (["-e", code], ""),
      (["-e", leaving, "-e", Self.destruction], ""), (["run", "-"], code), ([], code),
      ([], leaving + "\n" + Self.destruction),
    ] {
      let outcome = try Program.run(arguments, in: folder, input: input)
      #expect(outcome.status == Int32(status) && outcome.errors == "", "\(arguments): \(outcome)")
    }
    #expect(try folder.lua("accounts.count()") == "1")
  }

  @Test func `C5: the word alone is an error in a script`() throws {
    let code = "x = 1\nexit\n" + Self.destruction
    for arguments in [["run", try folder.write("word.lua", code)], ["-e", code]] {
      let outcome = try Program.run(arguments, in: folder)
      #expect(outcome.status == 1 && outcome.errors.contains("Write exit() to leave"), "\(outcome)")
    }
    #expect(try Program.run(["-e", "quit", "-e", Self.destruction], in: folder).status == 0)
    for wrong in ["exit('a')", "exit(256)", "exit(-1)", "exit(1.5)", "exit({})"] {
      let outcome = try Program.run(["-e", wrong], in: folder)
      #expect(
        outcome.status == 1 && outcome.errors.contains("bad argument"), "\(wrong): \(outcome)")
    }
    #expect(try folder.lua("accounts.count()") == "1")
  }

  @Test(arguments: [
    "accounts.get('nobody').uid", "error('x')", "x = )", "accounts.find { emial = 1 }", "'open",
    "for i = 1, 2 do error('x') end", "if x then\n)\nend", "x = {\n  [[a]] b\n}",
  ])
  func `C20: the first error ends the input`(wrong: String) throws {
    let outcome = try Program.run(
      [], in: folder, input: "accounts.count()\n" + wrong + "\n" + Self.destruction)

    #expect(outcome.status == 1 && outcome.output == "1\n", "\(outcome)")
    #expect(try folder.lua("accounts.count()") == "1")
  }

  @Test func `C12: line ends of any kind part statements`() throws {
    for end in ["\n", "\r\n", "\r", "\n\r"] {
      let input = [
        "1+1", "2+2", "t = [[a", "b]]", "#t", "for i = 1, 2 do", "print(i) -- x", "end", "",
      ]
      let outcome = try Program.run([], in: folder, input: input.joined(separator: end))
      #expect(outcome.status == 0 && outcome.output == "2\n4\n3\n1\n2\n", "\(outcome)")
    }
  }

  @Test func `C20: an answer comes while the input goes on`() throws {
    let process = Process()
    process.executableURL = URL(filePath: Program.path)
    process.environment = folder.environment
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let limit = ProcessLimit(process)
    func ask(_ text: String, _ answer: String) throws {
      try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      var told = ""
      while !told.hasSuffix(answer) {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { throw Failed(description: "ended after \(told)") }
        told += String(decoding: more, as: UTF8.self)
      }
      #expect(told == answer)
    }

    try ask("accounts.count()\n", "1\n")
    try ask("for i = 1, 2 do\n  print(i)\nend\n", "1\n2\n")
    try ask("x = {\n  1,\n", "")
    try ask("  2 }\n#x\n", "2\n")
    try ask("print 'cr'\r", "cr\n")
    try ask("\nprint 'on'\r\n", "on\n")
    try ask("exit(4)\n", "")

    process.waitUntilExit()
    try limit.check()
    #expect(process.terminationStatus == 4)
  }

  @Test func `C20: the cost of a long statement grows with its length`() throws {
    let rows = (1...12_000).map { "  { uid = \"u\($0)\", email = \"user\($0)@example.com\" },\n" }
    for text in [
      "big = {\n\(rows.joined())}\n#big\n",
      "f = function()\n\(rows.map { "  x =\($0.dropLast(2))\n" }.joined())end\n12000\n",
    ] {
      let outcome = try Program.run([], in: folder, input: text)
      #expect(outcome.status == 0 && outcome.output == "12000\n", "\(outcome.errors)")
    }
  }

  @Test func `C20: errors name the line of the input`() throws {
    for (input, place) in [
      ("x = 1\ny = 2\nerror('here')\n", "stdin:3: here"),
      ("x = [[\n\n]]\nfor i = 1, 1 do\n  error('here')\nend\n", "stdin:5: here"),
      ("\u{FEFF}#!x\nerror('here')\n", "stdin:2: here"),
      (
        String(repeating: "x = 1\n", count: 6000) + "x = 2\nerror('here')\n",
        "stdin, from line 6002:1: here"
      ),
    ] {
      let outcome = try Program.run([], in: folder, input: input)
      #expect(outcome.status == 1 && outcome.errors.contains(place), "\(outcome.errors)")
    }
  }
}
