import Foundation
import LuaRuntime
import Testing

/// A file of `Hostile/`: one trick, named in its first line.
struct HostileScript: Sendable {
  let name: String
  let source: String

  static let all: [HostileScript] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Hostile")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "lua" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .compactMap { file in
        guard let source = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        return HostileScript(name: file.deletingPathExtension().lastPathComponent, source: source)
      }
  }()
}

/// Measures the CPU time that this thread spends.
func threadTime(_ body: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  try body()
  return now() - start
}

/// Repeats a measurement that took too long, up to a dozen times; returns the shortest time.
func leastTime(atMost limit: Duration, _ body: () throws -> Void) rethrows -> Duration {
  var least = try threadTime(body)
  for attempt in 1...12 where least >= limit {
    // Page faults and stolen cycles come in bursts while other tests run; let one pass.
    usleep(UInt32(attempt) * 20_000)
    least = try min(least, threadTime(body))
  }
  return least
}
