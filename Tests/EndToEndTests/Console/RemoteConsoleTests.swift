import Foundation
import Testing
import TestSupport

/// `authgraph console --server`, with a server in another process.
@Suite(.serialized) struct `A console on a running server` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func configure(port: Int = 0) throws -> String {
    try folder.write(
      "authgraph.yaml",
      """
      publicURL: http://127.0.0.1:9099
      store: sqlite:accounts.db
      listen: { port: \(port) }

      """)
  }

  /// Makes a token, and returns the private file that it is in.
  private func token(_ scopes: String, _ configuration: String, name: String = "ada") throws
    -> String
  {
    let made = try Program.run(
      ["admin-token", "new", "--config", configuration, "--scope", scopes, "--name", name],
      in: folder, environment: ["AUTHGRAPH_STORE": ""])
    guard made.status == 0 else { throw Failed(description: made.errors) }
    let path = try folder.write("\(name).token", made.output)
    chmod(path, 0o600)
    return path
  }

  private func console(
    _ server: String, _ token: String, _ code: String..., more: [String] = [],
    environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program.run(
      ["console", "--server", server, "--token-file", token] + more
        + code.flatMap { ["-e", $0] }, in: folder, environment: environment)
  }

  @Test func `prints what one on the store prints`() async throws {
    try await blocking { [self] in
      let file = try configure()
      let token = try token("console:write,accounts:write,merge,audit,config", file)
      let server = try RunningServer(["--config", file], in: folder)
      let pieces = [
        "ada = accounts.create { uid = 'u1', email = 'ada@example.com' }",
        "bob = accounts.create { uid = 'u2', email = 'bob@example.com' }",
        "accounts.find { disabled = false }", "merge.plan('u1', 'u2')", "print('é', 1)",
        "graph.tree 'u1'", "settings.get().identitiesPerProvider", "accounts.count()",
      ]
      for piece in pieces {
        let far = try console(server.address, token, piece)
        #expect(far.status == 0, "\(far.errors)")
        guard !piece.contains("create") else { continue }
        let near = try Program.run(["console", "-e", piece], in: folder)
        #expect(far.output == near.output, "\(piece)")
      }
      let failed = try console(server.address, token, "accounts.get(nil)", "print('never')")
      #expect(failed.status == 1)
      #expect(failed.output.isEmpty)
      #expect(failed.errors.contains("invalid-argument") || failed.errors.contains("argument"))
      let exit = try console(server.address, token, "exit(7)")
      #expect(exit.status == 7)
      let json = try console(server.address, token, "accounts.count()", more: ["--json"])
      #expect(json.output == "2\n")
      let actor = try console(server.address, token, "audit.tail(1)[1].actor")
      #expect(actor.output == "admin:ada\n")
    }
  }

  @Test func `runs statements of standard input, and scripts read the lines of a pipe`()
    async throws
  {
    try await blocking { [self] in
      let file = try configure()
      let token = try token("console:write,accounts:write", file)
      let server = try RunningServer(["--config", file], in: folder)
      let typed = try Program.run(
        ["console", "--server", server.address, "--token-file", token], in: folder,
        input: "x = 1\nfor i = 1, 2 do\nprint(i + x)\nend\nexit\nprint('never')\n")
      #expect(typed.status == 0, "\(typed.errors)")
      #expect(typed.output == "2\n3\n")
      let lines = (1...2000).map { "line \($0)" }.joined(separator: "\n")
      let piped = try Program.run(
        [
          "console", "--server", server.address, "--token-file", token, "-e",
          "n = 0 for line in input.lines() do n = n + 1 last = line end print(n, last)",
        ], in: folder, input: lines)
      #expect(piped.output == "2000\tline 2000\n", "\(piped.errors)")
    }
  }

  @Test func `refuses what would give the token away, with a remedy`() async throws {
    try await blocking { [self] in
      let file = try configure()
      let token = try token("console:read,accounts:read", file)
      let server = try RunningServer(["--config", file], in: folder)
      let plain = try console("http://auth.example.com", token, "1")
      #expect(plain.status == 1)
      #expect(plain.errors.contains("--insecure"))
      chmod(token, 0o644)
      let open = try console(server.address, token, "1")
      #expect(open.status == 1)
      #expect(open.errors.contains("chmod 600 \(token)"))
      let text = try String(contentsOfFile: token, encoding: .utf8)
      let variable = try Program.run(
        ["console", "--server", server.address, "-e", "1 + 1"], in: folder,
        environment: ["AUTHGRAPH_TOKEN": text.trimmingCharacters(in: .newlines)])
      #expect(variable.output == "2\n", "\(variable.errors)")
      let none = try Program.run(
        ["console", "--server", server.address, "-e", "1 + 1"], in: folder)
      #expect(none.errors.contains("admin-token new"))
      let wrong = try Program.run(
        ["console", "--server", server.address, "-e", "1 + 1"], in: folder,
        environment: ["AUTHGRAPH_TOKEN": "wrong"])
      #expect(wrong.errors.contains("does not accept the token"))
      let both = try Program.run(
        ["console", "--server", server.address, "--store", "memory:", "-e", "1"], in: folder)
      #expect(both.errors.contains("exclude each other"))
      chmod(token, 0o600)
      let write = try console(server.address, token, "accounts.create { uid = 'u1' }")
      #expect(write.status == 1)
      #expect(write.errors.contains("console:write"))
    }
  }

  @Test func `is refused by an emulator that others can reach`() async throws {
    try await blocking { [self] in
      let environment = ["AUTHGRAPH_TOKEN": "owner"]
      let near = try RunningServer(["--compat", "emulator", "--port", "0"], in: folder)
      func console(_ address: String) throws -> Program.Outcome {
        try Program.run(
          ["console", "--server", address, "--project", "demo-project", "-e", "accounts.count()"],
          in: folder, environment: environment)
      }
      let works = try console(near.address)
      #expect(works.output == "0\n", "\(works.errors)")
      let open = try RunningServer(
        ["--compat", "emulator", "--port", "0", "--host", "0.0.0.0"], in: folder)
      let port = open.address.split(separator: ":").last ?? ""
      let refused = try console("http://127.0.0.1:\(port)")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("emulator mode"))
    }
  }

  @Test func `a link that is cut in the middle loses nothing, and runs nothing twice`()
    async throws
  {
    try await blocking { [self] in
      let file = try configure()
      let token = try token("console:write,accounts:write", file)
      let server = try RunningServer(["--config", file], in: folder)
      let proxy = try CuttingProxy(to: server.address)
      let (cuts, store) = (DispatchSemaphore(value: 0), folder.store)
      @Sendable func made() -> Int {
        (try? sqlite(store, "select count(*) from accounts")).flatMap { Int($0) } ?? 0
      }
      Thread.detachNewThread {
        for round in 1...4 {
          let deadline = ContinuousClock.now + .seconds(30)
          while made() < 200 * round, ContinuousClock.now < deadline { usleep(10_000) }
          proxy.cut()
          usleep(200_000)
          proxy.mend()
        }
        cuts.signal()
      }
      let outcome = try console(
        proxy.address, token,
        "for i = 1, 1500 do accounts.create { uid = 'u' .. i } print(i) end print(accounts.count())"
      )
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        outcome.output == (1...1500).map { "\($0)\n" }.joined() + "1500\n", "\(outcome.errors)")
      cuts.wait()
    }
  }

  @Test func `a server that is killed during writes loses nothing that was shown`() async throws {
    try await blocking { [self] in
      let file = try configure()
      let token = try token("console:write,accounts:write,audit", file)
      let first = try RunningServer(["--config", file], in: folder)
      let address = first.address
      let (output, errors) = (try folder.write("shown", ""), try folder.write("errors", ""))
      let process = Process()
      process.executableURL = URL(filePath: Program.path)
      process.arguments = [
        "console", "--server", address, "--token-file", token, "-e",
        "for i = 1, 100000 do accounts.create { uid = 'u' .. i } print(i) end",
      ]
      process.environment = folder.environment
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle(forWritingAtPath: output)
      process.standardError = FileHandle(forWritingAtPath: errors)
      try process.run()
      func shown() throws -> [Substring] {
        try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
      }
      while try shown().count < 200 { usleep(5_000) }
      first.kill()
      // The next server has the address of the first.
      let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
      let second = try RunningServer(["--config", try configure(port: port)], in: folder)
      process.waitUntilExit()
      #expect(process.terminationStatus == 1)
      let said = try String(contentsOfFile: errors, encoding: .utf8)
      #expect(said.contains("unsure-commit"), "\(said)")
      #expect(said.contains("audit.find { request ="), "\(said)")
      let count = try #require(try shown().last.flatMap { Int($0) })
      let kept = try console(
        second.address, token,
        "for i = 1, \(count) do assert(accounts.get('u' .. i), i) end print('all')")
      #expect(kept.output == "all\n", "\(kept.errors)")
    }
  }

  @Test func `works at a terminal: completion, Ctrl-C, secrets and history`() async throws {
    try await blocking { [self] in
      let file = try configure()
      let token = try token("console:write,accounts:write", file)
      let server = try RunningServer(["--config", file], in: folder)
      let terminal = try Terminal(
        "'\(Program.path)' console --server \(server.address) --token-file '\(token)'", in: folder,
        environment: ["TERM": "xterm-256color"])
      try terminal.wait(for: "authgraph>")
      #expect(try terminal.screen().contains("AuthGraph: default on 127.0.0.1:"))
      try terminal.enter("1 + 41", until: "\n42")
      try terminal.waitForPrompt()
      try terminal.type("accounts.cre")
      try terminal.press("Tab")
      try terminal.wait(for: "accounts.create")
      try terminal.interrupt()
      try terminal.enter("while true do end", until: "while true do end")
      usleep(300_000)
      try terminal.press("C-c")
      try terminal.wait(for: "stopped by Ctrl-C")
      try terminal.enter("s = secret()", until: "Secret:")
      try terminal.type("correct horse")
      try terminal.press("Enter")
      try terminal.enter("print('next')", until: "\nnext")
      #expect(try !terminal.screen().contains("correct horse"))
      try terminal.enter("exit", until: "[left with 0]")
      let history = try folder.read(".local/state/authgraph/history")
      #expect(history.contains("1 + 41"))
    }
  }

  @Test func `runs a script of this machine with its arguments`() async throws {
    try await blocking { [self] in
      let file = try configure()
      let token = try token("console:write,accounts:write,audit", file)
      let server = try RunningServer(["--config", file], in: folder)
      let script = try folder.write(
        "make.lua",
        "for line in input.lines() do accounts.create { uid = line } end return arg[1], arg.script")
      func run(_ options: [String], _ file: String, input: String? = nil) throws
        -> Program.Outcome
      {
        try Program.run(
          ["run", "--server", server.address, "--token-file", token] + options + [file, "seven"],
          in: folder, input: input)
      }
      let made = try run([], script, input: "u1\nu2\n")
      #expect(made.output == "seven\n\(script)\n", "\(made.errors)")
      let reason = try console(server.address, token, "audit.tail(1)[1].reason")
      #expect(reason.output == "run make.lua\n")
      let refused = try run(["--read-only"], script, input: "u3\n")
      #expect(refused.status == 1 && refused.errors.contains("--read-only"), "\(refused.errors)")
      let forgotten = try run(
        [], try folder.write("rehearse.lua", "begin() accounts.create { uid = 'u4' }"))
      #expect(
        forgotten.status == 1 && forgotten.errors.contains("was rehearsed and not committed"),
        "\(forgotten.errors)")
      let failing = try run([], try folder.write("wrong.lua", "\nlocal x = nil + 1"))
      #expect(failing.status == 1 && failing.errors.contains("wrong.lua:2"), "\(failing.errors)")
      let count = try console(server.address, token, "accounts.count()")
      #expect(count.output == "2\n")
      let named = try console(server.address, token, "1", more: ["--actor", "bo"])
      #expect(named.status == 1 && named.errors.contains("--actor"), "\(named.errors)")
    }
  }

  @Test func `asks for a reason, rehearses and is recorded as the settings say`() async throws {
    try await blocking { [self] in
      let file = try configure()
      try folder.lua(
        "settings.set { console = { asksReason = true, rehearses = true, recordsSessions = true } }"
      )
      let token = try token("console:write,accounts:write,audit", file)
      let server = try RunningServer(["--config", file], in: folder)
      let refused = try console(server.address, token, "1")
      #expect(refused.status == 1 && refused.errors.contains("--reason"), "\(refused.errors)")
      let terminal = try Terminal(
        "'\(Program.path)' console --server \(server.address) --token-file '\(token)'", in: folder)
      try terminal.wait(for: "Reason of this session:")
      try terminal.type("ticket 9")
      try terminal.press("Enter")
      try terminal.wait(for: "authgraph*>")
      try terminal.enter("accounts.create { uid = 'u1' }", until: "created")
      try terminal.waitForPrompt()
      try terminal.enter("exit", until: "Leave and forget it?")
      try terminal.type("n")
      try terminal.press("Enter")
      try terminal.enter("commit", until: "receipt")
      try terminal.leave()
      try terminal.wait(for: "[left with 0]")
      let seen = try console(
        server.address, token,
        """
        s = audit.session(audit.sessions(2)[2].id)
        print(s.actor, s.reason, #s.inputs, s.inputs[1].text, s.events[1].action, s.endedAt ~= nil)
        """, more: ["--reason", "looking"])
      #expect(
        seen.output
          == "admin:ada\tticket 9\t2\taccounts.create { uid = 'u1' }\tcreate\ttrue\n",
        "\(seen.output)\(seen.errors)")
    }
  }
}
