import Foundation
import TestSupport
import Testing

/// Firebase's JavaScript SDK in a browser, against the built binary.
@Suite struct `Firebase's JavaScript SDK` {
  private static let program = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "WebSDK/run.py").path

  @Test(.timeLimit(.minutes(10)))
  func
    `people sign in, link and merge in Chromium with the emulator's behaviour and in production`()
    async throws
  {
    // A browser mostly waits, so both run at once.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for mode in ["emulator", "production"] {
        group.addTask { try await visit(mode) }
      }
      try await group.waitForAll()
    }
  }

  private func visit(_ mode: String) async throws {
    let folder = try TemporaryFolder()
    let visit = try await blocking {
      // The packages are kept in the user's own cache.
      let environment = ProcessInfo.processInfo.environment.merging([
        "AUTHGRAPH": Program.path, "PYTHONDONTWRITEBYTECODE": "1", "WEB_SDK_MODE": mode,
      ]) { _, own in own }
      return try Program.run(
        ["python3", Self.program], of: "/usr/bin/env", in: folder, environment: environment)
    }
    #expect(visit.status == 0, "\(mode): \(visit.output)\(visit.errors)")
  }
}
