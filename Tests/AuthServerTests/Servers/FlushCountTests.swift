import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import SQLiteStore
import Testing

@testable import IdentityToolkitService

#if os(Linux)
  import Glibc

  /// The cost of a request for a disk: the flushes of this process, as strace counts them.
  @Suite(.serialized) struct `Flushes of SQLite` {
    private static let times = 10

    @Test func `are one for each sign-in, link and sign-up`() async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "authgraph-flushes-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = try SQLiteStore(path: folder.appending(path: "accounts.db").path)
      try await withServer(.production, store: store) { server in
        let home = try await Federation(server)
        let ada = FakePerson(subject: "1", email: "ada@example.com", emailVerified: true)
        // The first token creates the keys.
        try await home.signIn(.google, ada)
        var sessions: [String] = []
        for _ in 0..<Self.times {
          sessions.append(try await server.post("/v1/accounts:signUp").text("idToken"))
        }
        let trace = try FlushTrace(in: folder)

        let signIns = try await trace.count {
          for _ in 0..<Self.times { try await home.signIn(.google, ada) }
        }
        let links = try await trace.count {
          for (index, session) in sessions.enumerated() {
            let reply = try await home.signIn(
              .google, FakePerson(subject: "other-\(index)"), idToken: session)
            #expect(reply.status == 200)
          }
        }
        let signUps = try await trace.count {
          for _ in 0..<Self.times { try await server.post("/v1/accounts:signUp") }
        }
        trace.end()
        await home.stop()

        #expect(signIns == Self.times && links == Self.times && signUps == Self.times)
      }
    }
  }

  /// An strace of this process that records flushes.
  private final class FlushTrace {
    private let process = Process()
    private let file: URL

    init(in folder: URL) throws {
      file = folder.appending(path: "strace")
      Self.allowTracing()
      process.executableURL = URL(filePath: "/usr/bin/strace")
      process.arguments = [
        "-f", "-q", "-e", "trace=fsync,fdatasync", "-o", file.path, "-p", "\(getpid())",
      ]
      try process.run()
      let deadline = ContinuousClock.now + .seconds(30)
      while try !isAttached() {
        guard process.isRunning, ContinuousClock.now < deadline else {
          throw CocoaError(.fileReadUnknown)
        }
        usleep(10_000)
      }
    }

    /// Runs a body and returns the number of flushes.
    func count(_ body: () async throws -> Void) async throws -> Int {
      let before = try lines()
      try await body()
      usleep(100_000)
      return try lines() - before
    }

    func end() {
      // A traced process continues by itself; a regular end of strace would stop each thread first.
      kill(process.processIdentifier, SIGKILL)
    }

    /// Allows a program of the same user to trace this one (prctl(2), `PR_SET_PTRACER`); root needs no permission.
    private static func allowTracing() {
      guard let function = dlsym(nil, "prctl") else { return }
      typealias Control = @convention(c) (CInt, CUnsignedLong, CUnsignedLong) -> CInt
      _ = unsafeBitCast(function, to: Control.self)(0x5961_6D61, CUnsignedLong.max, 0)
    }

    private func isAttached() throws -> Bool {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      return !status.contains("TracerPid:\t0\n")
    }

    /// Counts the flushes.
    ///
    /// A call that another thread interrupts is recorded twice, the second time as resumed.
    private func lines() throws -> Int {
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { return 0 }
      return text.split(separator: "\n").count { $0.contains("sync(") && !$0.contains("resumed") }
    }
  }
#endif
