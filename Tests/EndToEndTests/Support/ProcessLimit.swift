import Foundation
import Synchronization
import TestSupport

/// Ends a program that runs longer than any working one does, so that a hang fails only its test.
final class ProcessLimit: Sendable {
  private struct State {
    var isOver = false
    var report: String?
  }

  private let state = Mutex(State())

  /// Watches a running program and everything that it started.
  init(_ process: Process, seconds: Int = 300) {
    let id = process.processIdentifier
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
      self?.end(id, after: seconds)
    }
  }

  /// Throws the program's state if it had to be ended.
  func check() throws {
    let report = state.withLock { state in
      state.isOver = true
      return state.report
    }
    if let report {
      throw Failed(description: "the program did not end by itself:\n\(report)")
    }
  }

  private func end(_ id: pid_t, after seconds: Int) {
    guard !state.withLock(\.isOver) else { return }
    let family = Self.family(of: id)
    let report = family.map(Self.description).joined(separator: "\n")
    state.withLock { $0.report = report }
    // A reader still waits if another process keeps the output open; then this is the only report.
    FileHandle.standardError.write(Data("It did not end within \(seconds) s:\n\(report)\n".utf8))
    for member in family { kill(member, SIGKILL) }
  }

  /// Returns a process and all that it started, children first.
  private static func family(of id: pid_t) -> [pid_t] {
    let children = text("/proc/\(id)/task/\(id)/children").split(separator: " ")
    return children.compactMap { pid_t($0) }.flatMap(family) + [id]
  }

  /// Describes the threads of a process, and what each of them waits for in the kernel.
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
