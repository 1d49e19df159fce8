import Foundation
import TestSupport

/// The binary in a real terminal: a tmux session that receives keys and is read.
final class Terminal: Sendable {
  private let socket: String
  private let folder: TemporaryFolder

  /// Opens a terminal of a size that runs a command line.
  init(
    _ command: String, in folder: TemporaryFolder, columns: Int = 100, rows: Int = 40,
    environment: [String: String] = [:], name: String = "tmux"
  ) throws {
    self.folder = folder
    socket = "\(folder.path)/\(name)"
    let variables = folder.environment.merging(environment) { _, own in own }
    let assignments = variables.map { "\($0.key)='\($0.value)'" }.sorted().joined(separator: " ")
    try tmux([
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
      "cd '\(Program.root)'; env \(assignments) \(command); echo \"[left with $?]\"; sleep 600",
    ])
  }

  deinit {
    _ = try? tmux(["kill-server"])
  }

  /// Types text unchanged.
  func type(_ text: String) throws {
    try tmux(["send-keys", "-l", text])
  }

  /// Pastes bytes as a terminal does, with marks around them if the program asked for marks.
  ///
  /// Like most terminals, tmux sends CR for LF unless the line ends are kept.
  func paste(_ bytes: [UInt8], marked: Bool = true, keepingLineEnds: Bool = false) throws {
    let file = "\(socket).paste"
    try Data(bytes).write(to: URL(filePath: file))
    try tmux(["load-buffer", file])
    try tmux(
      ["paste-buffer", "-d"] + (marked ? ["-p"] : []) + (keepingLineEnds ? ["-r"] : []))
  }

  /// Pastes a text.
  func paste(_ text: String, marked: Bool = true, keepingLineEnds: Bool = false) throws {
    try paste(Array(text.utf8), marked: marked, keepingLineEnds: keepingLineEnds)
  }

  /// Presses keys by their tmux names, such as Enter, Tab, C-c.
  func press(_ keys: String...) throws {
    try tmux(["send-keys"] + keys)
  }

  /// Presses Ctrl-C and waits for a prompt, because earlier typing may be lost.
  func interrupt() throws {
    try press("C-c")
    try waitForPrompt()
  }

  /// Types a line and waits for its result.
  @discardableResult
  func enter(_ line: String, until expected: String) throws -> String {
    try type(line)
    try press("Enter")
    return try wait(for: expected)
  }

  /// Returns the terminal's text, including scrolled lines.
  func screen(withColors: Bool = false) throws -> String {
    try tmux(["capture-pane", "-p", "-S", "-1000"] + (withColors ? ["-e"] : []))
  }

  /// Waits until the terminal shows a text; the limit only prevents a hang.
  @discardableResult
  func wait(for text: String) throws -> String {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      let shown = try screen()
      if shown.contains(text) { return shown }
      usleep(30_000)
    }
    throw Failed(description: "\"\(text)\" never appeared; the terminal shows:\n\(try screen())")
  }

  /// Ends the console with Ctrl-D.
  func leave() throws {
    try waitForPrompt()
    try press("C-d")
  }

  /// Waits until a prompt is last, with nothing after it.
  ///
  /// Before that the terminal handles keys itself, and echoes them anywhere.
  func waitForPrompt() throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try !isAtPrompt() {
      guard ContinuousClock.now < deadline else {
        throw Failed(description: "there is no prompt; the terminal shows:\n\(try screen())")
      }
      usleep(30_000)
    }
  }

  private func isAtPrompt() throws -> Bool {
    let lines = try screen().split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    return lines.last { !$0.isEmpty }?.hasSuffix(">") == true
  }

  /// Clears the screen.
  func clear() throws {
    try press("C-l")
    usleep(100_000)
    try tmux(["clear-history"])
  }

  /// Runs a tmux command to its end.
  ///
  /// The server that it starts keeps every descriptor that it inherits, so a pipe of another test would never end. It
  /// therefore inherits none, and answers through a file.
  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let script = """
      for descriptor in /proc/self/fd/*; do
        number=${descriptor##*/}
        [ "$number" -gt 2 ] && eval "exec $number>&-"
      done
      exec /usr/bin/tmux -S '\(socket)' "$@" </dev/null >'\(socket).answer' 2>/dev/null
      """
    try spawn(["/bin/bash", "-c", script, "tmux"] + arguments)
    return try String(contentsOfFile: "\(socket).answer", encoding: .utf8)
  }

  private func spawn(_ arguments: [String]) throws {
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let environment = ["PATH=/usr/bin:/bin", "HOME=\(folder.path)", "LANG=C.UTF-8"]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var process: pid_t = 0
    // Threads of the test runner block signals, and a child would inherit that and ignore Ctrl-C.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    guard posix_spawn(&process, arguments[0], nil, &attributes, &words, &variables) == 0 else {
      throw Failed(description: "\(arguments[0]) cannot be started")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
  }
}
