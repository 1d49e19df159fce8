import Foundation

/// Keeps this process and a database on one core for some time.
///
/// A single caller wakes another core at each round trip, which costs more than the work done there. With many callers,
/// no core sleeps. Therefore the cost for each of some callers on one core equals that for each of many on many cores.
struct OneCore {
  private let processes: [Int]

  /// Uses the last core.
  init(_ processes: [Int], cores: Int) throws {
    self.processes = processes
    try move(to: "\(cores - 1)")
  }

  func end(cores: Int) throws {
    try move(to: "0-\(cores - 1)")
  }

  private func move(to cores: String) throws {
    for process in processes + [Int(getpid())] {
      // A process may have ended since; all threads of the others, and their children, move along.
      let words = ["/usr/bin/env", "taskset", "-a", "-c", "-p", cores, "\(process)"]
      var arguments = words.map { strdup($0) }
      arguments.append(nil)
      defer { for argument in arguments { free(argument) } }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for descriptor: Int32 in [1, 2] {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
      }
      var child: pid_t = 0
      guard posix_spawn(&child, "/usr/bin/env", &actions, nil, arguments, environ) == 0 else {
        continue
      }
      waitpid(child, nil, 0)
    }
  }
}
