import Foundation
import Testing
import TestSupport

/// Every text that strangers can set, printed in every way: harmless on a terminal, exact in a file.
@Suite struct `Printed text` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try HostileText.fill(folder)
  }

  private static let prelude =
    "a = accounts.get 'linus' b = accounts.get 'bare' name = a.displayName"

  /// Expressions whose output lays out untrusted text; no line of it may look like one of the console's own.
  static let laidOut = [
    "a", "b", "{ a, 1 }", "{ { a, 3 }, { b, 5 } }", "{ first = { a, b }, count = 2 }", "{ a, b }",
    "{ b }", "{ x = { y = { z = { a, name } } } }", "{ [name] = 1 }", "{ [name] = name }",
    "{ [name] = { 1, name } }", "{ { [name] = name }, { [name] = b } }", "{ name, name }",
    "{ name, { name } }", "{ name, 1, true, a, json.null }", "{ { name = name, at = 1 } }",
    "{ { list = { name, name } } }", "{ 1, 2, x = name }", "{ [a] = name, [b] = a, [1.5] = name }",
    "a.providerData", "a.providerData[1]", "a.customClaims", "{ a.customClaims, 1 }",
    "a.multiFactor", "{ a.multiFactor, 1 }", "{ a.multiFactor, a.multiFactor }",
    "a.multiFactor.enrolledFactors", "a:history()", "{ a:history()[1], 1 }",
    "{ why(a:history()[1]), 1 }",
    "why(a:history()[1])", "graph.tree(a)", "graph.tree 'bare'", "{ graph.tree(b), 1 }",
    "merge.plan(a, b)",
    "{ plan = merge.plan(a, b), n = name }",
    "{ merge.plan(a, b), 1 }", "providers['google.com']", "accounts.find()",
    "b:update { photoURL = 'https://example.com/x', dryRun = true }", "duplicates.find()",
    "audit.tail(5)", "{ audit.tail(1)[1], 1 }",
    "setmetatable({ name }, { __tostring = function() return name end, __name = name })",
    "print(a)", "print(b, { b, 1 })",
    "print { name }",
    "print(a.multiFactor, graph.tree(b), why(a:history()[1]))", "print { [name] = a }",
    "log.info(name)", "log.warn(name)",
    "log.error(name)", "plugins.list()",
  ]

  /// Expressions that print a text unchanged, with its own lines.
  static let free = [
    "name", "print(name)", "print(name, 1, name)", "print(tostring(a), tostring(b))",
    "a.photoURL", "graph.dot(a)", "graph.dot(b)", "tostring(graph.tree(b))", "json.encode { name }",
    "string.format('%q', name)", "name:rep(3)", "table.concat({ name, name }, ' ')",
    "'\\xff\\x9b' .. name", "print('\\xff\\x9b' .. name)",
  ]

  private func arguments(_ codes: [String]) -> [String] {
    ["console", "-e", Self.prelude] + codes.flatMap { ["-e", $0] }
  }

  @Test(arguments: [false, true])
  func `C7: no text of others reaches a terminal raw in any view`(colored: Bool) throws {
    let codes: Set = colored ? ["0", "1", "2", "31", "32", "33", "36"] : []
    let shown = try TerminalRun(
      arguments(Self.laidOut), in: folder, on: .both, colored: colored)
    #expect(shown.status == 0, "\(shown.terminal.suffix(400))")
    #expect(shown.terminal.contains("root"))
    if let harm = HostileText.harm(in: shown.terminal, allowing: codes) {
      try findCulprit(among: Self.laidOut, codes: codes, colored: colored, harm)
    }
    let forged = shown.terminal.split(separator: "\n").filter {
      $0.drop { $0 == " " }.hasPrefix("forged")
    }
    #expect(forged.isEmpty, "\(forged)")
    let free = try TerminalRun(arguments(Self.free), in: folder, on: .both, colored: colored)
    #expect(free.status == 0, "\(free.terminal.suffix(400))")
    if let harm = HostileText.harm(in: free.terminal, allowing: codes) {
      try findCulprit(among: Self.free, codes: codes, colored: colored, harm)
    }
  }

  /// Runs each expression by itself, to name the one at fault.
  private func findCulprit(
    among ways: [String], codes: Set<String>, colored: Bool, _ harm: String
  ) throws {
    Issue.record("\(harm) reached the terminal")
    for way in ways {
      let shown = try TerminalRun(arguments([way]), in: folder, on: .both, colored: colored)
      let harm = HostileText.harm(in: shown.terminal, allowing: codes)
      #expect(harm == nil, "\(way)")
    }
  }

  /// Expressions that end in an error with untrusted text.
  @Test(arguments: [
    "error(name)", "error(name, 0)", "error { message = name }",
    "error { message = name, code = name }",
    "error(setmetatable({}, { __tostring = function() return name end }))", "error({ name })",
    "assert(false, name)", "accounts.get(name)", "accounts.find { [name] = 1 }", "a[name]",
    "_G[name]()",
    "a:update { photoURL = name }", "providers[name]", "json.decode(name)", "policy.use(name)",
    "policy.test(name)", "help(name)", "plugins.load(name)", "load(name)()",
    "assert(load(name, name))",
    "error(a)", "error('\\xff' .. name)", "({ })[name].x", "merge.undo(name)", "audit.tail(name)",
  ])
  func `C7: no error shows text of others raw`(way: String) throws {
    let shown = try TerminalRun(arguments([way]), in: folder, on: .both)

    #expect(HostileText.harm(in: shown.terminal) == nil, "\(shown.terminal.debugDescription)")
    let lines = shown.terminal.split(separator: "\n")
    #expect(!lines.contains { $0.hasPrefix("forged") })
    let json = try TerminalRun(
      ["console", "--json"] + arguments([way]).dropFirst(), in: folder, on: .errors)
    #expect(HostileText.harm(in: json.terminal) == nil)
    #expect(json.file.split(separator: "\n").allSatisfy { $0 == "null" }, "\(json.file)")
    if let last = json.terminal.split(separator: "\n").last, shown.status != 0 {
      let object = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
      #expect(object?["error"] != nil)
    }
  }

  @Test func `C7: JSON on a terminal is harmless and the same value`() throws {
    let code = "{ a, name, a.customClaims, a.providerData, why(a:history()[1]) }"
    let shown = try TerminalRun(
      ["console", "--json", "-e", Self.prelude, "-e", code], in: folder, on: .output)
    let piped = try Program.run(
      ["console", "--json", "-e", Self.prelude, "-e", code], in: folder)

    #expect(HostileText.harm(in: shown.terminal) == nil)
    #expect(piped.output.contains("\u{202E}"))
    #expect(try parsed(shown.terminal) == parsed(piped.output))
    #expect(try parsed(piped.output).description.contains("PWNED"))
  }

  @Test func `C7: an export to a terminal is harmless and the same value`() throws {
    let shown = try TerminalRun(["export"], in: folder, on: .output)
    let piped = try Program.run(["export"], in: folder)

    #expect(HostileText.harm(in: shown.terminal) == nil)
    #expect(try parsed(shown.terminal) == parsed(piped.output))
  }

  private func parsed(_ text: String) throws -> NSObject {
    let value = try JSONSerialization.jsonObject(
      with: Data(text.utf8), options: [.fragmentsAllowed])
    return try #require(value as? NSObject)
  }

  @Test func `C7: texts of commands about files and people are harmless`() throws {
    let name = HostileText.text.replacing("/", with: "")
    let plugins = "\(folder.path)/plug\(name)ins"
    try FileManager.default.createDirectory(atPath: plugins, withIntermediateDirectories: true)
    try "nonsense \(name)".write(
      toFile: "\(plugins)/a\(name).lua", atomically: true, encoding: .utf8)
    let records =
      "{\"users\": [\n{\"localId\":\"x\",\"email\":\"\u{202E}no\\u001b[35maddress\"}\n]}\n"
    let file = "\(folder.path)/in\(name).json"
    try records.write(toFile: file, atomically: true, encoding: .utf8)
    let script = "\(folder.path)/s\(name).lua"
    try "local x = nil\nx.y = 1".write(toFile: script, atomically: true, encoding: .utf8)
    for arguments in [
      ["import", file], ["import", name], ["import", "--json", file], ["plugin", "list", plugins],
      ["plugin", "check", plugins], ["plugin", "test", plugins],
      ["plugin", "list", "--json", plugins],
      ["plugin", "check", "--json", plugins], ["plugin", "test", "--json", plugins],
      ["run", script], ["run", name], [name], ["--\(name)"],
      ["export", "\(folder.path)/no/\(name)"],
      ["console", "--store", "sqlite:/nowhere/\(name)", "-e", "1"], ["config", "check", file],
      ["console", "--plugins", plugins, "-e", "plugins.list()"], ["doctor", "--config", file],
      ["admin-token", "revoke", name], ["store", "copy", "--from", "sqlite:\(name)", "--to", name],
    ] {
      let shown = try TerminalRun(arguments, in: folder)
      #expect(
        HostileText.harm(in: shown.terminal) == nil, "\(arguments.prefix(2)) \(shown.terminal)")
      #expect(
        !shown.terminal.split(separator: "\n").contains { $0.hasPrefix("forged") }
          || arguments.count == 1,
        "\(arguments.prefix(2)) \(shown.terminal)")
    }
  }

  static let names = [
    HostileText.text, "\u{5E9}\u{5DC}\u{5D5}\u{5DD}\u{200F}!",
    "\u{62E}\u{627}\u{646}\u{647}\u{200C}", "a\u{AD}b",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "cr\rname", "two\nlines",
    "tab\there",
    "\\u{200F}", "\"quoted\"", "", " ", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "\0nul",
  ]

  @Test func `C15: output into a file or a pipe is exact`() throws {
    let file = try folder.write("names.lua", "for _, n in ipairs(arg) do print(n, n) end")
    // An argument of a process cannot contain a NUL.
    let names = Self.names.filter { !$0.contains("\0") }
    let piped = try Program.run(["run", file] + names, in: folder)
    #expect(piped.output == names.map { "\($0)\t\($0)\n" }.joined())
    // Standard error on a terminal does not change standard output.
    let mixed = try TerminalRun(["run", file] + names, in: folder, on: .errors)
    #expect(mixed.file == piped.output)
    // The same is true in the other direction.
    let warned = try TerminalRun(
      [
        "console", "-e", Self.prelude, "-e", "print(name)", "-e", "error(b.displayName:sub(1, 20))",
      ],
      in: folder, on: .errors)
    #expect(warned.file == HostileText.text + "\n")
    #expect(HostileText.harm(in: warned.terminal) == nil)
  }

  @Test func `C15: bytes that are no text come out as they went in`() throws {
    let code = "print('\\xff\\0\\x80', 'a') print(string.char(0xc3, 0x28))"
    let process = Process()
    process.executableURL = URL(filePath: Program.path)
    process.arguments = ["console", "-e", code, "-e", "'\\xfe\\n'"]
    process.environment = folder.environment
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()

    #expect(
      Array(output) == [0xFF, 0, 0x80, 9, 0x61, 10, 0xC3, 0x28, 10, 0xFE, 10, 10])
    let shown = try TerminalRun(["console", "-e", code], in: folder)
    #expect(shown.terminal == "\\xFF\\u{0}\\x80\ta\n\\xC3(\n")
  }

  @Test func `C15: a result in a file is whole, and Lua reads its strings back`() throws {
    let codes = [
      "{ { name, 1 }, { b.displayName .. ('x'):rep(1000), 2 } }",
      "{ x = { [name] = { name } }, 1 }",
    ]
    for code in codes {
      let piped = try Program.run(arguments([code]), in: folder)
      let back = try folder.write(
        "back.lua",
        """
        \(Self.prelude)
        local function same(x, y)
          if type(x) ~= 'table' then return x == y end
          for k, v in pairs(x) do if not same(v, y[k]) then return false end end
          for k in pairs(y) do if x[k] == nil then return false end end
          return true
        end
        print(same(\(code), \(piped.output)))
        """)
      let read = try Program.run(["run", back], in: folder)
      #expect(read.output == "true\n", "\(read.errors) \(piped.output.prefix(300))")
    }
    let long = try folder.lua(
      "(function() local t = {} for i = 1, 5000 do t[i] = { i } end return t end)()")
    #expect(long.contains("{ 5000 }") && !long.contains("…"))
    // A block and a table are complete, too: nothing is cut at the width of a window that does not exist.
    let name = String(repeating: "long name ", count: 25)
    try folder.lua("accounts.create { uid = 'long', displayName = '\(name)' }")
    for code in [
      "accounts.get 'long'", "{ accounts.get 'long' }", "{ { name = '\(name)', x = 1 } }",
    ] {
      #expect(try folder.lua(code).contains(name), "\(code)")
    }
    #expect(
      try folder.lua("{ { text = name } }".replacing("name", with: "'a\\nb'")).contains(#""a\nb""#))
  }

  @Test func `C7: a result on a terminal is cut, and says how much is left out`() throws {
    let shown = try TerminalRun(
      [
        "console", "-e",
        "(function() local t = {} for i = 1, 250000 do t[i] = i end return t end)()",
      ],
      in: folder)
    #expect(shown.terminal.contains("… 249,960 more"))
  }
}
