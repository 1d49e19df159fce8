import Foundation

/// Sends requests with wrk, one after another on each of many connections.
struct Wrk: Sendable {
  let folder: String
  let connections: Int
  let seconds: Int

  /// A failure of the server or of wrk, which would make a rate meaningless.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Sends lines of a path and a body, starting again after the last; `process` is the server's.
  ///
  /// Throws if each line can be sent only once and there are too few.
  func load(
    _ address: String, _ lines: [String], once: Bool = false, of process: Int32
  ) throws -> Run {
    let (file, script) = ("\(folder)/lines.txt", "\(folder)/wrk.lua")
    try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    try Self.script(file).write(toFile: script, atomically: true, encoding: .utf8)
    let wrk = Process()
    wrk.executableURL = URL(filePath: "/usr/bin/env")
    wrk.arguments = [
      "wrk", "-t", "1", "-c", "\(connections)", "-d", "\(seconds)s", "--latency", "-s", script,
      address,
    ]
    let pipe = Pipe()
    wrk.standardOutput = pipe
    let before = ProcessorTime.microseconds(of: process)
    try wrk.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    wrk.waitUntilExit()
    let spent = ProcessorTime.microseconds(of: process) - before
    let sent = text.firstMatch(of: /(\d+) requests in/).flatMap { Int($0.1) }
    if once, let sent, sent > lines.count {
      throw Failure(
        description: """
          \(sent) requests were sent in a round that had \(lines.count) of its own. Raise --accounts, or lower \
          --seconds.
          """)
    }
    guard let rate = text.firstMatch(of: /Requests\/sec:\s+([\d.]+)/).flatMap({ Double($0.1) }),
      let sent, sent > 0,
      let median = text.firstMatch(of: /50%\s+([\d.]+)(us|ms|s)\b/), let time = Double(median.1),
      !text.contains("Non-2xx"), !text.contains("Socket errors")
    else { throw Failure(description: "\(address) \(lines.first ?? ""):\n\(text)") }
    let unit = median.2 == "us" ? 1.0 : median.2 == "ms" ? 1000 : 1_000_000
    return Run(rate: rate, median: time * unit, processor: spent / Double(sent))
  }

  private static func script(_ file: String) -> String {
    """
    local requests, last = {}, 0
    function init()
      for line in io.lines("\(file)") do
        local path, body = line:match("^(%S+) (.*)$")
        requests[#requests + 1] =
          wrk.format("POST", path, { ["Content-Type"] = "application/json", Host = wrk.headers.Host }, body)
      end
    end
    function request()
      last = last % #requests + 1
      return requests[last]
    end
    """
  }
}
