import Foundation
import Synchronization

/// Ends a program that takes longer than any does that works, so that one that hangs fails its test and no more.
final class ProcessLimit: Sendable {
  private let report = Mutex<String?>(nil)
  private let timer: DispatchSourceTimer & Sendable

  /// Watches a program that runs already, and everything that it started.
  init(_ process: Process, seconds: Int = 300) {
    let id = process.processIdentifier
    let timer = DispatchSource.makeTimerSource()
    self.timer = timer
    timer.schedule(deadline: .now() + .seconds(seconds))
    timer.setEventHandler { [report] in
      let family = Self.family(of: id)
      let text = family.map(Self.description).joined(separator: "\n")
      report.withLock { $0 = text }
      // Where somebody else keeps its output open, whoever reads that waits on; then this is all that is told.
      FileHandle.standardError.write(Data("It did not end within \(seconds) s:\n\(text)\n".utf8))
      for member in family { kill(member, SIGKILL) }
    }
    timer.activate()
  }

  deinit { timer.cancel() }

  /// Throws what the program was doing where it had to be ended.
  func check() throws {
    timer.cancel()
    if let text = report.withLock(\.self) {
      throw Failed(description: "the program did not end by itself:\n\(text)")
    }
  }

  /// A process and all that it started, children first.
  private static func family(of id: pid_t) -> [pid_t] {
    let children = text("/proc/\(id)/task/\(id)/children").split(separator: " ")
    return children.compactMap { pid_t($0) }.flatMap(family) + [id]
  }

  /// The threads of a process, and what each of them waits for in the kernel.
  private static func description(_ id: pid_t) -> String {
    let words = text("/proc/\(id)/cmdline").replacing("\0", with: " ")
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
    let lines = threads.map { thread in
      let path = "/proc/\(id)/task/\(thread)"
      return "  \(text("\(path)/comm")) \(text("\(path)/wchan")) \(text("\(path)/syscall"))"
    }
    return "\(id) \(words)\n" + lines.joined(separator: "\n")
  }

  private static func text(_ path: String) -> String {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
      .trimmingCharacters(in: .newlines)
  }
}
