import Foundation
import TestSupport

/// The system's statistics of a server's process.
struct ServerProcess {
  private let id: Int32

  init(_ server: RunningServer) {
    id = server.processID
  }

  /// The current resident memory in MB.
  var residentMegabytes: Int {
    get throws { try megabytes("VmRSS") }
  }

  /// The maximum resident memory so far, in MB.
  var mostResidentMegabytes: Int {
    get throws { try megabytes("VmHWM") }
  }

  /// The processor time of all its threads.
  var processorTime: Duration {
    get throws {
      let folder = "/proc/\(id)/task"
      let threads = try FileManager.default.contentsOfDirectory(atPath: folder)
      let nanoseconds = threads.compactMap { thread in
        // A thread may have ended in the meantime.
        (try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8))
          .flatMap { $0.split(separator: " ").first }.flatMap { Int64($0) }
      }
      return .nanoseconds(nanoseconds.reduce(0, +))
    }
  }

  private func megabytes(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    guard let kibibytes = line?.split(whereSeparator: \.isWhitespace)[1], let size = Int(kibibytes)
    else { throw Failed(description: "no \(name) in \(status)") }
    return size / 1000
  }
}
