import AuthCore
import AuthTesting
import Foundation
import SQLiteStore
import Synchronization
import Testing

@testable import IdentityToolkitService

/// A hook that blocks its thread until it is released.
private final class ThreadTaker: SignInHooks {
  private let door = NSCondition()
  private let state = Mutex((isOpen: false, count: 0))

  var count: Int { state.withLock(\.count) }

  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
    wait()
    return nil
  }

  private func wait() {
    state.withLock { $0.count += 1 }
    door.withLock { while !state.withLock(\.isOpen) { door.wait() } }
  }

  func letGo() {
    door.withLock {
      state.withLock { $0.isOpen = true }
      door.broadcast()
    }
  }
}

/// A load balancer's requests while every thread for requests is blocked.
@Suite(.serialized) struct `Questions of a load balancer` {
  @Test(.timeLimit(.minutes(2)), arguments: ["sqlite", "postgres"])
  func `are answered while other requests take every thread`(_ kind: String) async throws {
    let hooks = ThreadTaker()
    let store: (any AccountStore)? = kind == "sqlite" ? try SQLiteStore.inMemory() : nil
    try await withServer(
      .production, store: store,
      configure: {
        $0.servers = 1
        $0.hooks = hooks
      }
    ) { home in
      // Makes keys and reads settings first.
      try await home.touch()
      #expect(try await home.call("GET", "/ready").status == 200)
      let cores = ProcessInfo.processInfo.activeProcessorCount
      // The waiting is done on a thread of its own, because Swift's are blocked.
      let answers = try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          let curls = (0..<4 * cores).map { number in
            Curl([
              "\(home.address)\(ServerHome.signUp)?key=k", "-H", "Content-Type: application/json",
              "-d", "{\"email\":\"a\(number)@example.com\",\"password\":\"opensesame\"}",
            ])
          }
          let deadline = Date(timeIntervalSinceNow: 30)
          while hooks.count < cores, Date() < deadline { usleep(10_000) }
          // Later requests find no free thread.
          usleep(200_000)
          let answers = ["/health", "/ready"].map { path in
            Curl(["\(home.address)\(path)", "-w", "%{http_code}"]).output()
          }
          hooks.letGo()
          for curl in curls { _ = curl.output() }
          continuation.resume(returning: answers)
        }
      }
      #expect(answers == ["{\"status\":\"ok\"}200", "{\"status\":\"ready\"}200"])
      #expect(hooks.count >= cores)
    }
  }
}

/// A run of curl.
private final class Curl {
  private let process = Process()
  private let pipe = Pipe()

  init(_ arguments: [String]) {
    process.executableURL = URL(filePath: "/usr/bin/curl")
    process.arguments = ["-s", "--max-time", "20", "--noproxy", "*"] + arguments
    process.standardOutput = pipe
    try? process.run()
  }

  func output() -> String {
    String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
}
