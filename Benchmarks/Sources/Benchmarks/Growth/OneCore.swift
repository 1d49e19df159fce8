import Foundation

/// Keeps this process and a database on one core for a while.
///
/// A caller who is alone wakes another core at each round trip, which costs more than what is then done on it; where many
/// call, nobody sleeps. What each of some callers spends on one core is what each of many spends on many.
struct OneCore {
  private let processes: [Int]

  /// Takes the last core.
  init(_ processes: [Int], cores: Int) throws {
    self.processes = processes
    try move(to: "\(cores - 1)")
  }

  func end(cores: Int) throws {
    try move(to: "0-\(cores - 1)")
  }

  private func move(to cores: String) throws {
    for process in processes + [Int(getpid())] {
      // A process may have ended since; all threads of the others, and what they start, go along.
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
