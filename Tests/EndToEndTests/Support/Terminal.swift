import Foundation

/// The binary in a real terminal: a tmux session that is typed into and looked at.
final class Terminal {
  private let socket: String
  private let folder: TemporaryFolder

  /// Opens a terminal of this size that runs a command line.
  init(
    _ command: String, in folder: TemporaryFolder, columns: Int = 100, rows: Int = 40,
    environment: [String: String] = [:]
  ) throws {
    self.folder = folder
    socket = "\(folder.path)/tmux"
    var variables = folder.environment.merging(environment) { _, own in own }
    variables["TERM"] = nil
    let assignments = variables.map { "\($0.key)='\($0.value)'" }.sorted().joined(separator: " ")
    try tmux([
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
      "cd '\(Program.root)'; env \(assignments) \(command); echo \"[left with $?]\"; sleep 600",
    ])
  }

  deinit {
    _ = try? tmux(["kill-server"])
  }

  /// Types text as it is.
  func type(_ text: String) throws {
    try tmux(["send-keys", "-l", text])
  }

  /// Presses keys by their tmux names, such as Enter, Tab, C-c.
  func press(_ keys: String...) throws {
    try tmux(["send-keys"] + keys)
  }

  /// Types a line and waits for what it leads to.
  @discardableResult
  func enter(_ line: String, until expected: String) throws -> String {
    try type(line)
    try press("Enter")
    return try wait(for: expected)
  }

  /// What the terminal shows, with its scrolled lines.
  func screen(withColors: Bool = false) throws -> String {
    try tmux(["capture-pane", "-p", "-S", "-1000"] + (withColors ? ["-e"] : []))
  }

  /// Waits until the terminal shows a text; the limit guards against hanging, nothing else.
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

  /// Forgets what was shown.
  func clear() throws {
    try press("C-l")
    usleep(100_000)
    try tmux(["clear-history"])
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/tmux")
    process.arguments = ["-S", socket] + arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
