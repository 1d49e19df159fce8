import Foundation
import TestSupport

/// The binary with its streams on a terminal, of which every byte is kept.
struct TerminalRun {
  /// The streams on the terminal; the other one goes into a file.
  enum Streams {
    case output, errors, both
  }

  let status: Int32
  /// The bytes that were written to the terminal.
  let terminal: String
  /// The bytes that were written to the file.
  let file: String

  init(
    _ arguments: [String], in folder: TemporaryFolder, on streams: Streams = .both,
    colored: Bool = false
  ) throws {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(terminal) }
    // Linux's numbers of TIOCSPTLCK and TIOCGPTN, which Swift does not import.
    var (locked, number): (Int32, UInt32) = (0, 0)
    guard terminal >= 0, ioctl(terminal, 0x4004_5431, &locked) == 0,
      ioctl(terminal, 0x8004_5430, &number) == 0
    else { throw Failed(description: "there is no terminal") }
    let side = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    // The terminal must add nothing, such as carriage returns.
    var settings = termios()
    tcgetattr(side, &settings)
    cfmakeraw(&settings)
    tcsetattr(side, TCSANOW, &settings)
    var window = winsize(ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    guard side >= 0, ioctl(side, UInt(TIOCSWINSZ), &window) == 0 else {
      throw Failed(description: "the terminal cannot be opened")
    }

    let path = "\(folder.path)/stream-\(UUID())"
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else {
      throw Failed(description: "the file cannot be made")
    }
    let device = FileHandle(fileDescriptor: side, closeOnDealloc: false)
    let process = Process()
    process.executableURL = URL(filePath: Program.path)
    process.arguments = arguments
    process.environment = folder.environment.merging(
      ["TERM": colored ? "xterm-256color" : "dumb"]
    ) { $1 }
    process.currentDirectoryURL = URL(filePath: Program.root)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = streams == .errors ? file : device
    process.standardError = streams == .output ? file : device
    try process.run()
    let limit = ProcessLimit(process)
    close(side)
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    // The read fails at the end, after the other side was closed.
    while case let count = read(terminal, &part, part.count), count > 0 {
      bytes += part[..<count]
    }
    process.waitUntilExit()
    try limit.check()
    status = process.terminationStatus
    self.terminal = String(decoding: bytes, as: UTF8.self)
    self.file = String(
      decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }
}
