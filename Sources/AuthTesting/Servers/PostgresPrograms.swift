#if os(Linux) || os(macOS)
  import Foundation

  /// The programs of an installed PostgreSQL.
  enum PostgresPrograms {
    /// Finds a program such as `initdb` by `pg_config`, or in the folder of Debian's packages.
    static func path(_ name: String) throws -> String {
      var folders: [String] = []
      if let said = try? run(["/usr/bin/env", "pg_config", "--bindir"]) {
        folders.append(said.trimmingCharacters(in: .whitespacesAndNewlines))
      }
      let debian = "/usr/lib/postgresql"
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
      folders += versions.sorted { Int($0) ?? 0 > Int($1) ?? 0 }.map { "\(debian)/\($0)/bin" }
      guard
        let found = folders.map({ "\($0)/\(name)" })
          .first(where: FileManager.default.isExecutableFile)
      else {
        throw PostgresServerFailure(
          "PostgreSQL's \(name) is not there. On Debian: apt-get install postgresql-15 libpq-dev")
      }
      return found
    }

    /// The words that run a program as the server's user; empty unless the tests run as root, which the server
    /// refuses.
    static var asServer: [String] {
      guard geteuid() == 0 else { return [] }
      return ["/usr/bin/env", "setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    }

    /// Makes the server's user the owner of a file or a folder.
    static func giveToServer(_ path: String) throws {
      guard geteuid() == 0 else { return }
      guard let user = getpwnam("postgres"),
        chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0
      else { throw PostgresServerFailure("\(path) cannot be given to the user postgres.") }
    }

    /// Runs a program to its end and returns its output; throws its error output if it fails.
    @discardableResult
    static func run(_ words: [String]) throws -> String {
      let file = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID())").path
      defer { try? FileManager.default.removeItem(atPath: file) }
      let process = try ServerProcess(words, output: file)
      let status = process.wait()
      let output = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      guard status == 0 else {
        throw PostgresServerFailure("\(words.first ?? "") failed with \(status): \(output)")
      }
      return output.trimmingCharacters(in: .newlines)
    }
  }
#endif
