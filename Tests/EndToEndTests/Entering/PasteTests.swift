import Foundation
import Testing
import TestSupport

/// Text that is pasted at the prompt keeps its meaning.
@Suite(.serialized) struct `A paste` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(
    columns: Int = 100, type: String = "xterm-256color", name: String = "first"
  ) throws -> Terminal {
    let terminal = try Terminal(
      "'\(Program.path)'", in: folder, columns: columns, environment: ["TERM": type], name: name)
    try terminal.wait(for: "authgraph>")
    return terminal
  }

  static let tabs =
    "pol\t= 5\nt = [[\nname\tpri\t5\n]]\nfor i=1,1 do\n\tlocal acc\t= i\t-- comment\n"
    + "\tsum\t= acc + pol\nend\nx = {\n\tpri\t= 1,\n}\n"

  @Test(arguments: [80, 140], ["xterm-256color", "dumb"])
  func `C11: tabs are tabs, in any place of a line`(columns: Int, type: String) throws {
    for marked in [true, false] {
      let terminal = try open(columns: columns, type: type, name: "tmux\(marked)")
      try terminal.paste(Self.tabs, marked: marked)
      let shown = try terminal.enter(
        "'t' .. #t .. ',' .. pol .. ',' .. sum .. ',' .. x.pri .. (t:gsub('\\t', '+'):gsub('\\n', '/'))",
        until: "\nt11,5,6,1name+pri+5/")
      #expect(!shown.contains("ipairs") && !shown.contains("syntax"), "\(shown)")
      try terminal.enter("print == policy", until: "\nfalse")
    }
  }

  @Test(arguments: [80, 140])
  func `C11: a paste waits for Enter unless it ends with a newline`(columns: Int) throws {
    let terminal = try open(columns: columns)
    try terminal.paste("a = 1\nb = a + 41")
    try terminal.wait(for: "b = a + 41")
    try terminal.interrupt()
    try terminal.enter("tostring((pcall(function() return b + 0 end)))", until: "\nfalse")
    try terminal.paste("a = 1\nb = a + 41")
    try terminal.enter("", until: "b = a + 41")
    try terminal.enter("'b is ' .. b", until: "\nb is 42")
    try terminal.paste("c = [[x\ny]]\n#c\n")
    try terminal.wait(for: "\n3\n")
    try terminal.type("'and ' .. ")
    try terminal.paste("#c")
    try terminal.enter(" .. ' end'", until: "\nand 3 end")
    try terminal.paste("for i = 1, 2 do\n\tprint('i is', i)\n")
    try terminal.wait(for: "...>")
    try terminal.enter("end", until: "2\n")
    try terminal.press("Up")
    try terminal.wait(for: "> for i = 1, 2 do")
  }

  @Test(arguments: [false, true], [false, true])
  func `C22: CRLF is one line end inside of long brackets`(marked: Bool, kept: Bool) throws {
    let terminal = try open()
    // Without marks, the second CR that tmux makes of CRLF looks like a key.
    if !marked && !kept { return }
    try terminal.paste("t = [[\r\na\r\nb\r\n]]\r\n", marked: marked, keepingLineEnds: kept)
    try terminal.enter("'length ' .. #t", until: "\nlength 4")
  }

  @Test func `C11: paragraphs keep their empty lines`() throws {
    let terminal = try open()
    try terminal.enter("t = [[", until: "...>")
    try terminal.paste("one\n\ntwo\n\nthree")
    try terminal.enter("]]", until: "authgraph> ")
    try terminal.enter("'length ' .. #t", until: "\nlength 15")
  }

  @Test func `C11: nothing in a paste presses a key`() throws {
    try folder.lua("accounts.create { uid = 'linus' }")
    let terminal = try open()
    let deletion = "accounts.get('linus'):delete { reason = 'test' }"
    for inside in [
      "\u{03}\n\(deletion)", "\u{1B}[201~\n\(deletion)\n",
      "\u{1B}[201~\n\(deletion)\n\u{1B}[201~\n\(deletion)",
      "\u{04}\u{1A}\u{1C}\u{11}\u{13}\u{15}\u{17}", "\u{1B}[A\u{1B}[D\u{1B}OA",
      "\u{07}\u{08}\u{7F}\u{00}\u{9B}31m\u{1B}]0;x\u{07}",
    ] {
      // A terminal marks a paste only for a waiting prompt; an earlier one arrives as keys.
      try terminal.waitForPrompt()
      try terminal.paste("x = [[\(inside)")
      try terminal.enter("]] y = 1", until: "authgraph> ")
      try terminal.press("C-c")
    }
    try terminal.waitForPrompt()
    try terminal.enter("'still ' .. accounts.count()", until: "\nstill 1")
    #expect(try !terminal.screen().contains("[left"))
  }

  @Test func `C11: the marks of a paste are never text`() throws {
    for type in ["xterm-256color", "dumb"] {
      let terminal = try open(type: type, name: type)
      try terminal.paste(Array("\u{1B}[200~1 + 41\n\u{1B}[201~".utf8), marked: false)
      try terminal.wait(for: "\n42")
      try terminal.paste(Array("\u{1B}[201~40 + 3\n".utf8), marked: false)
      try terminal.wait(for: "\n43")
      try terminal.press("C-r")
      try terminal.paste(Array("\u{1B}[200~\u{1B}[201~".utf8), marked: false)
      try terminal.press("C-c")
      try terminal.paste(Array("\u{1B}[200~40".utf8), marked: false)
      usleep(300_000)
      try terminal.paste(Array(" + 4\n".utf8), marked: false)
      try terminal.paste(Array("\u{1B}[201~".utf8), marked: false)
      let shown = try terminal.wait(for: "\n44")
      #expect(
        !shown.contains("00~") && !shown.contains("01~") && !shown.contains("syntax"), "\(shown)")
      try terminal.paste(Array("\u{1B}[200~half a paste".utf8), marked: false)
      usleep(300_000)
      try terminal.press("C-c")
      // Bytes right after a key would count as part of the paste.
      usleep(500_000)
      try terminal.enter("'after ' .. 45", until: "\nafter 45")
    }
  }

  @Test func `C11: the terminal is asked for marks at the prompt only, and a dumb one never`()
    throws
  {
    func written(_ type: String, _ keys: String) throws -> String {
      let script = """
        import os, pty, signal, sys, time
        # As in a terminal's shell: the process that runs the tests may ignore or block signals.
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP): signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        signal.alarm(60)
        pid, fd = pty.fork()
        if pid == 0:
            os.environ['TERM'] = '\(type)'
            os.environ['SWIFT_BACKTRACE'] = 'enable=no'
            os.execv('\(Program.path)', ['authgraph'])
        out = b''
        def until(mark):
            global out
            seen = len(out)
            while mark not in out[seen:]:
                try: piece = os.read(fd, 65536)
                except OSError: break
                if not piece: break
                out += piece
        until(b'authgraph> ')
        for key in \(keys):
            # A key before the prompt waits is not a key of the prompt.
            time.sleep(0.5)
            os.write(fd, key[0])
            until(key[1])
        until(b'never there')
        os.waitpid(pid, 0)
        sys.stdout.buffer.write(out)
        """
      return try Program.run(["-c", script], of: "/usr/bin/python3", in: folder).output
    }
    let on = "\u{1B}[?2004h"
    let off = "\u{1B}[?2004l"
    for keys in [
      #"[(b"print('ra' .. 'n')\r", b"authgraph> "), (b"\x04", b"")]"#, #"[(b"exit\r", b"")]"#,
      #"[(b"x\x03", b"authgraph> "), (b"exit(1)\r", b"")]"#, #"[(b"\x1c", b"")]"#,
    ] {
      let output = try written("xterm", keys)
      #expect(output.contains(on) && output.contains(off), "\(keys): \(output.debugDescription)")
      let last = output.components(separatedBy: on).last ?? ""
      #expect(last.contains(off), "\(keys): \(output.debugDescription)")
    }
    let running = try written(
      "xterm", #"[(b"print('ra' .. 'n')\r", b"authgraph> "), (b"\x04", b"")]"#)
    let before = running.components(separatedBy: "ran").first ?? ""
    #expect(
      before.hasSuffix(off) || before.components(separatedBy: off).last?.contains(on) == false)
    let dumb = try written("dumb", #"[(b"\x04", b"")]"#)
    #expect(dumb.contains("authgraph> ") && !dumb.contains("2004"), "\(dumb.debugDescription)")
  }

  @Test func `C11: a stopped console leaves the terminal in order`() throws {
    let terminal = try Terminal(
      "bash -ic \"'\(Program.path)'; echo status \\$?; fg >/dev/null; echo left\"", in: folder,
      environment: ["TERM": "xterm-256color"])
    try terminal.wait(for: "authgraph>")
    try terminal.press("C-z")
    try terminal.wait(for: "status 148")
    try terminal.enter("40 + 2", until: "\n42")
    try terminal.paste("a\t= 7\n")
    try terminal.enter("a * 2", until: "\n14")
    try terminal.leave()
    try terminal.wait(for: "left")
  }

  @Test func `C20: long lines and many lines are quick`() throws {
    for (type, marked) in [("xterm-256color", true), ("dumb", false)] {
      let terminal = try open(type: type, name: type)
      let long = String(repeating: "é", count: 20_000)
      try terminal.paste("t = '\(long)'\n", marked: marked)
      try terminal.enter("'length ' .. #t", until: "\nlength 40000")
      let rows = (1...1500).map { "  { uid = 'u\($0)' },\n" }.joined()
      try terminal.paste("big = {\n\(rows)}\n", marked: marked)
      try terminal.enter("'rows ' .. #big", until: "\nrows 1500")
    }
  }

  @Test func `C20: an error ends a paste`() throws {
    try folder.lua("accounts.create { uid = 'linus' }")
    let terminal = try open()
    let deletion = "accounts.get('linus'):delete { reason = 'test' }"
    try terminal.paste("x = 1\nerror('wrong')\n\(deletion)\ny = 2\n")
    try terminal.wait(for: "The rest of the paste was not run: 2 lines.")
    try terminal.enter("'still ' .. accounts.count()", until: "\nstill 1")
    try terminal.paste("x = 2\nexit\n\(deletion)\n")
    try terminal.wait(for: "[left with 0]")
    #expect(try folder.lua("accounts.count()") == "1")
  }

  @Test func `C6: a byte that is not UTF-8 is refused at the prompt`() throws {
    let terminal = try open()
    for marked in [true, false] {
      try terminal.paste(Array("x = 'Jos".utf8) + [0xE9] + Array("'\n".utf8), marked: marked)
      try terminal.wait(
        for: "has the byte 0xE9, which is not UTF-8, and was not run.")
      try terminal.enter("tostring((pcall(function() return #x end)))", until: "\nfalse")
      try terminal.press("C-l")
    }
    try terminal.enter("'caf\u{E9} ' .. #'é'", until: "\ncafé 2")
  }

  @Test func `C22: Tab behind letters that are not ASCII leaves them alone`() throws {
    let terminal = try open()
    for (typed, completed) in [
      ("displayName = \"Zoëpri", "displayName = \"Zoëpri"),
      ("'日本' .. accounts.cou", "'日本' .. accounts.count"),
      ("x[1] = a-pri", "x[1] = a-print"), ("größe.pri", "größe.pri"), ("é accou", "é accounts"),
    ] {
      try terminal.type(typed)
      try terminal.press("Tab")
      try terminal.wait(for: "> \(completed)")
      try terminal.interrupt()
      try terminal.clear()
    }
  }

  @Test func `C5: words and calls that leave, at the prompt`() throws {
    for (number, (typed, status)) in [
      ("exit", 0), ("quit ;", 0), (" exit -- bye", 0), ("exit()", 0), ("exit(3)", 3),
      ("pcall(quit, 4)", 4),
    ].enumerated() {
      let terminal = try open(name: "tmux\(number)")
      try terminal.enter(typed, until: "[left with \(status)]")
    }
  }
}
