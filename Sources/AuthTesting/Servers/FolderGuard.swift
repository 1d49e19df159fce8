#if os(Linux) || os(macOS)
  import Foundation

  /// A guard that ends the server of a folder and removes the folder once this process is gone, however it ends.
  ///
  /// A shell waits at the other end of a pipe without a writer, which closes when the process ends.
  final class FolderGuard: Sendable {
    private let descriptor: Int32
    private let shell: ServerProcess

    init(_ folder: String) throws {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw PostgresServerFailure("There is no pipe left.") }
      defer { close(ends[0]) }
      descriptor = ends[1]
      // Another program that inherited this end would keep the folder alive.
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let script = """
        read -r nothing
        if [ -f "$1/data/postmaster.pid" ]; then
          server=$(head -1 "$1/data/postmaster.pid")
          kill -CONT "$server" $(cat "/proc/$server/task/$server/children")
          kill -QUIT "$server"
        fi
        for wait in 1 2 3 4 5; do
          rm -rf "$1" 2>/dev/null && exit 0
          sleep 1
        done
        """
      shell = try ServerProcess(["/bin/sh", "-c", script, "sh", folder], input: ends[0])
    }

    deinit {
      close(descriptor)
      // The shell removes the folder unless the server's owner has done so.
      shell.wait()
    }
  }
#endif
