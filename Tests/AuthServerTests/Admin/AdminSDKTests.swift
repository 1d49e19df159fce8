import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// Firebase's Admin SDK for Python as a client, against a socket.
@Suite struct `Firebase's Admin SDK` {
  @Test(.timeLimit(.minutes(10)))
  func `everything that the SDK does works against the emulator's behaviour`() async throws {
    try await withServer(.emulator) { home in
      // The SDK checks the times in tokens against the machine's clock.
      let ticking = Task {
        while !Task.isCancelled {
          home.clock.set(.now())
          try? await Task.sleep(for: .milliseconds(20))
        }
      }
      defer { ticking.cancel() }
      let host = home.address.replacing("http://", with: "")
      let visit = try await PythonProgram.run(
        "run.py", [],
        ["FIREBASE_AUTH_EMULATOR_HOST": host, "GOOGLE_CLOUD_PROJECT": ServerHome.project])
      #expect(visit.status == 0, "\(visit.output)")
    }
  }
}
