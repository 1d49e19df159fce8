#if os(Linux) || os(macOS)
  import Foundation
  import NIOConcurrencyHelpers

  /// A child process that inherits no descriptor, no blocked signal and no terminal.
  ///
  /// Foundation's `Process` would keep the pipes of simultaneous child processes open, and their readers would wait
  /// for ever.
  final class ServerProcess: Sendable {
    let id: pid_t
    private let status = NIOLockedValueBox<Int32?>(nil)

    /// Starts a program by its path.
    ///
    /// Output and errors are appended to a file, or dropped.
    init(_ words: [String], input: Int32? = nil, output: String? = nil) throws {
      var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      let variables = ["PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C.UTF-8"]
      var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
      defer { (arguments + environment).forEach { free($0) } }
      #if os(Linux)
        var attributes = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
      #else
        var attributes: posix_spawnattr_t?
        var actions: posix_spawn_file_actions_t?
      #endif
      posix_spawnattr_init(&attributes)
      posix_spawn_file_actions_init(&actions)
      defer {
        posix_spawnattr_destroy(&attributes)
        posix_spawn_file_actions_destroy(&actions)
      }
      // Threads of a test runner block signals, so the signal to stop would never arrive.
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigmask(&attributes, &none)
      var flags = Int16(POSIX_SPAWN_SETSIGMASK) | Self.newSession
      if let input {
        posix_spawn_file_actions_adddup2(&actions, input, 0)
      } else {
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      }
      posix_spawn_file_actions_addopen(
        &actions, 1, output ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o644)
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
      #if os(Linux)
        for descriptor in Self.openDescriptors {
          posix_spawn_file_actions_addclose(&actions, descriptor)
        }
      #else
        flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
      #endif
      posix_spawnattr_setflags(&attributes, flags)
      var process: pid_t = 0
      guard posix_spawn(&process, words[0], &actions, &attributes, &arguments, &environment) == 0
      else { throw PostgresServerFailure("\(words[0]) cannot be started.") }
      id = process
    }

    /// The flag for a session of its own, so that the tests' terminal sends it no signals.
    private static let newSession: Int16 = {
      #if os(Linux)
        0x80
      #else
        0x400
      #endif
    }()

    #if os(Linux)
      /// The descriptors that a child would inherit, and some more that other threads may open meanwhile.
      private static var openDescriptors: ClosedRange<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return 3...(names.compactMap { Int32($0) }.max() ?? 256) + 16
      }
    #endif

    /// True until the process has ended.
    var isRunning: Bool {
      status.withLockedValue { known in
        if known != nil { return false }
        var found: Int32 = 0
        guard waitpid(id, &found, WNOHANG) != 0 else { return true }
        known = found
        return false
      }
    }

    /// Waits for the end and returns the exit status, or 128 plus the number of the signal that ended the process.
    @discardableResult
    func wait() -> Int32 {
      status.withLockedValue { known in
        var found: Int32 = known ?? 0
        if known == nil {
          while waitpid(id, &found, 0) == -1 && errno == EINTR {}
          known = found
        }
        return found & 0x7f == 0 ? (found >> 8) & 0xff : 128 + found & 0x7f
      }
    }

    /// Sends a signal and waits for the end.
    func end(by signal: Int32) {
      guard isRunning else { return }
      kill(id, signal)
      wait()
    }

    /// Sends a signal to the process and to its children, as far as the system lists them.
    func signalAll(_ signal: Int32) {
      guard isRunning else { return }
      let text =
        (try? String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)) ?? ""
      kill(id, signal)
      for child in text.split(separator: " ").compactMap({ pid_t($0) }) { kill(child, signal) }
    }
  }
#endif
