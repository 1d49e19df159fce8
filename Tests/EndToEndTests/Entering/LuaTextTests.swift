import Foundation
import Testing
import TestSupport

/// Lua text is read in the same way from every source.
@Suite struct `Lua text` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The ways to pass a script.
  enum Way: String, CaseIterable, Sendable {
    case file, namedPipe, pipe, dash, device, input, argument
  }

  /// A script with a long string over two lines, whose line end is always one character.
  private static let script = "print('one')\nprint(#[[a\nb]])\nerror('stop')\nprint('never')\n"

  private func outcome(_ way: Way, _ bytes: [UInt8]) throws -> Program.Outcome {
    let file = try folder.write("script.lua", bytes: bytes)
    switch way {
    case .file: return try Program.run(["run", file], in: folder)
    case .dash: return try Program.run(["run", "-"], in: folder, bytes: bytes)
    case .device: return try Program.run(["run", "/dev/stdin"], in: folder, bytes: bytes)
    case .input: return try Program.run(["console"], in: folder, bytes: bytes)
    case .pipe: return try shell("'\(Program.path)' run <(cat '\(file)')")
    case .namedPipe:
      return try shell(
        "mkfifo '\(file).pipe'; cat '\(file)' > '\(file).pipe' & '\(Program.path)' run '\(file).pipe'"
      )
    case .argument: return try shell("'\(Program.path)' -e \"$(cat '\(file)')\"")
    }
  }

  private func shell(_ command: String) throws -> Program.Outcome {
    try Program.run(["-c", command], of: "/bin/bash", in: folder)
  }

  @Test(arguments: Way.allCases, LuaForm.allCases)
  func `C21: every way in reads every form`(way: Way, form: LuaForm) throws {
    // A shell cannot pass a NUL, nor an argument of this length.
    if way == .argument && [.nul, .compiled, .tooLong].contains(form) { return }
    if way == .argument && [.utf16LittleEndian, .utf16BigEndian].contains(form) { return }

    let outcome = try outcome(way, form.bytes(of: Self.script))

    #expect(outcome.status == 1, "\(outcome)")
    guard let refusal = form.refusal else {
      #expect(outcome.output == "one\n3\n", "\(outcome)")
      #expect(outcome.errors.contains(":\(4 + form.linesBefore): stop"), "\(outcome)")
      return
    }
    if way == .argument {
      #expect(outcome.errors.contains("Argument 2 has the byte 0xE9"), "\(outcome)")
      return
    }
    // Piped input runs statement by statement, up to a later fault.
    let isReached = way == .input && [.latin1, .nul, .tooLong].contains(form)
    #expect(outcome.errors.contains(isReached ? ":4: stop" : refusal), "\(outcome)")
    #expect(outcome.output == (isReached ? "one\n3\n" : ""), "\(outcome)")
  }

  @Test(arguments: LuaForm.allCases)
  func `C21: policies, hooks and plug-ins read every form`(form: LuaForm) throws {
    let policy = try folder.write(
      "p.lua",
      bytes: form.bytes(
        of: "return policy {\n  name = [[a\nb]], on = { 'email-already-in-use' },\n"
          + "  decide = function(c) return refuse 'no' end,\n}\n"))
    let hooks = try folder.write(
      "h.lua", bytes: form.bytes(of: "return hooks {\n  before_sign_in = function(event) end }\n"))
    let genuine = try String(
      contentsOfFile: "\(Program.root)/Plugins/discord.com.lua", encoding: .utf8)
    try FileManager.default.copyItem(
      atPath: "\(Program.root)/Plugins/discord.com.fixture.json",
      toPath: "\(folder.path)/discord.com.fixture.json")
    let plugin = try folder.write("discord.com.lua", bytes: form.bytes(of: genuine))

    let outcomes = [
      try folder.run("policy.use '\(policy)' print((policy.current().name:gsub('\\n', '+')))"),
      try folder.run("print(#policy.test '\(policy)')"),
      try shell("cat '\(policy)' | '\(Program.path)' -e 'policy.use \"/dev/stdin\"'"),
      try folder.run("hooks.use '\(hooks)' print(hooks.current().file ~= nil)"),
      try folder.run("plugins.load '\(plugin)' print(providers['discord.com'] ~= nil)"),
      try Program.run(["plugin", "check", plugin], in: folder),
      try Program.run(["plugin", "test", plugin], in: folder),
    ]

    for (number, outcome) in outcomes.enumerated() {
      guard let refusal = form.refusal else {
        #expect(outcome.status == 0, "\(number): \(outcome)")
        continue
      }
      #expect(outcome.status == 1, "\(number): \(outcome)")
      #expect((outcome.errors + outcome.output).contains(refusal), "\(number): \(outcome)")
    }
    if form.refusal == nil { #expect(outcomes[0].output == "a+b\n") }
  }

  @Test func `C21: the line and the file of a byte that is not UTF-8 are named`() throws {
    let file = try folder.write(
      "latin.lua", bytes: Array("x = 1\nx = 2\nx = 'Jos".utf8) + [0xE9, 0x27, 0x0A])

    let outcome = try Program.run(["run", file], in: folder)

    #expect(
      outcome.errors
        == "invalid-argument (file): \(file): line 3 has the byte 0xE9, which is not UTF-8. Save the file as UTF-8.\n"
    )
  }

  @Test func `C21: code that begins with a dash is code`() throws {
    for (arguments, output) in [
      (["-e", "-1"], "-1\n"), (["-e=-1"], "-1\n"), (["-e", "-- nothing"], ""),
      (["-e", "-- one\n2"], "2\n"), (["-e", "--[[ x ]] 3"], "3\n"),
      (["console", "-e", "-2"], "-2\n"),
      (["-e", "-1", "-e", "-2"], "-1\n-2\n"), (["-e", "-(1 + 2)"], "-3\n"),
      (["-e", "-#'ab'"], "-2\n"),
      (["-e", "--"], ""), (["-e", "--- x"], ""), (["-e", "-- x = 1"], ""), (["-e", "--= x"], ""),
      (["--json", "-e", "-5"], "-5\n"),
    ] {
      let outcome = try Program.run(arguments, in: folder)
      #expect(outcome.status == 0 && outcome.output == output, "\(arguments): \(outcome)")
    }
  }

  @Test func `C21: import and its options read pipes and standard input`() throws {
    let users = #"{"users":[{"localId":"NAME","email":"NAME@example.com","passwordHash":"$HASH"}]}"#
    func file(_ name: String) throws -> String {
      try folder.write(
        "\(name).json",
        users.replacing("NAME", with: name).replacing(#","passwordHash":"$HASH""#, with: ""))
    }
    let hash = try folder.write(
      "hash.json", bytes: LuaForm.mark.bytes(of: #"{"hash-algo": "MD5", "rounds": 0}"#))
    for command in [
      "import - < '\(try file("a"))'", "import /dev/stdin < '\(try file("b"))'",
      "import <(cat '\(try file("c"))')",
      "import '\(try file("d"))' --hash-parameters <(cat '\(hash)')",
      "import '\(try file("e"))' --hash-parameters - < '\(hash)'",
    ] {
      let outcome = try shell("'\(Program.path)' \(command)")
      #expect(
        outcome.status == 0 && outcome.output == "1 imported, 0 refused\n", "\(command): \(outcome)"
      )
    }
    #expect(try folder.lua("accounts.count()") == "5")
  }

  @Test func `C6: text that is not UTF-8 is refused before anything is stored`() throws {
    try folder.lua("accounts.create { uid = 'linus', displayName = 'Linus' }")
    let script = try folder.write(
      "name.lua", "accounts.get('linus'):update { displayName = arg[1] }")
    let latin =
      Array("accounts.get('linus'):update { displayName = 'Jos".utf8) + [0xE9] + Array("' }\n".utf8)

    let outcomes = [
      try Program.run([], in: folder, bytes: latin),
      try Program.run(["run", "-"], in: folder, bytes: latin),
      try shell(
        "'\(Program.path)' -e $'accounts.get(\"linus\"):update { displayName = \"Jos\\xe9\" }'"),
      try shell("'\(Program.path)' run '\(script)' $'Jos\\xe9'"),
      try shell("'\(Program.path)' --project $'Jos\\xe9' -e '1'"),
      try shell("'\(Program.path)' import '\(script)' --reason $'Jos\\xe9'"),
      try shell("AUTHGRAPH_STORE=$'sqlite:/tmp/Jos\\xe9.db' '\(Program.path)' -e '1'"),
      try shell("'\(Program.path)' --json -e $'\\xe9'"),
      try shell(
        "printf 'Jos\\xe9\\n' | '\(Program.path)' -e 'for line in input.lines() do accounts.get(\"linus\"):update { displayName = line } end'"
      ),
    ]

    for (number, outcome) in outcomes.enumerated() {
      #expect(outcome.status == 1, "\(number): \(outcome)")
      #expect(
        outcome.errors.contains("has the byte 0xE9, which is not UTF-8"), "\(number): \(outcome)")
    }
    #expect(outcomes[7].errors.hasPrefix(#"{"error":"#))
    #expect(try folder.lua("accounts.get('linus').displayName") == "Linus")
  }

  @Test func `C22: characters of web pages are named with what to write`() throws {
    for (code, told) in [
      ("accounts.get(“ada”)", "the character “ U+201C is not Lua. Write \" instead"),
      ("x = ‘a’", "the character ‘ U+2018 is not Lua. Write ' instead"),
      ("x\u{A0}= 1", "the blank U+00A0 is not Lua. Write a plain blank instead"),
      ("x = 5 – 3", "the character – U+2013 is not Lua. Write - instead"),
      ("größe = 1", "the character ö U+00F6 is not Lua. It can stand in quotes and comments only"),
      ("x = 'é' -- ü\ny = “z”", "-e:2: the character “ U+201C"),
    ] {
      let outcome = try Program.run(["-e", code], in: folder)
      #expect(outcome.status == 1 && outcome.errors.contains(told), "\(code): \(outcome)")
    }
    #expect(try folder.lua("#'“é” '") == "9")
  }

  @Test func `C20: a script reads lines from standard input`() throws {
    let script = try folder.write(
      "count.lua",
      "local n, last = 0 for line in input.lines() do n, last = n + 1, line end print(n, last)")
    let many = (1...90_000).map { "u\($0)\r\n" }.joined()

    #expect(try Program.run(["run", script], in: folder, input: many).output == "90000\tu90000\n")
    for (input, output) in [
      ("", "0\tnil\n"), ("a", "1\ta\n"), ("a\n\n", "2\t\n"), ("#a\rb\r", "2\tb\n"),
    ] {
      #expect(try Program.run(["run", script], in: folder, input: input).output == output)
    }
    let piped = try Program.run([], in: folder, input: "input.lines()\n")
    #expect(piped.status == 1 && piped.errors.contains("Standard input is the code itself"))
  }
}
