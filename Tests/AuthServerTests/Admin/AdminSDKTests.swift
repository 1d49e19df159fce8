import AuthCore
import AuthTesting
import BuiltInProviders
import SessionTokens
import Testing
import TestSupport

@testable import IdentityToolkitService

/// Firebase's Admin SDK for Python as a client, against a socket.
@Suite struct `Firebase's Admin SDK` {
  @Test(.timeLimit(.minutes(10)))
  func `everything that the SDK does works against the emulator's behaviour`() async throws {
    try await withServer(.emulator) { home in
      let ticking = home.tick()
      defer { ticking.cancel() }
      let host = home.address.replacing("http://", with: "")
      let visit = try await PythonProgram.run(
        "run.py", [],
        ["FIREBASE_AUTH_EMULATOR_HOST": host, "GOOGLE_CLOUD_PROJECT": ServerHome.project])
      #expect(visit.status == 0, "\(visit.output)")
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `everything that the SDK does works in production by the file of a service account`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = MemoryStore()
    let secrets = EphemeralSealing()
    let tokens = AdminTokens(store: store, secrets: secrets)
    try await withServer(
      .production, store: store,
      configure: { setup in
        setup.servers = 1
        setup.secrets = secrets
        setup.take(tokens)
        // The SDK verifies no other algorithm.
        setup.signing = .rs256
      }
    ) { home in
      let ticking = home.tick()
      defer { ticking.cancel() }
      var settings = home.services.settings
      settings.publicURL = home.address
      settings.rateLimits = .none
      home.services.live.replace(with: settings)
      let account = try await tokens.newServiceAccount(
        name: "sdk", scopes: [.all], server: home.address, by: home.admin)
      let file = try folder.write("account.json", account.text.reveal())
      let visit = try await PythonProgram.run(
        "run.py", [],
        [
          "AUTHGRAPH_URL": home.address, "GOOGLE_APPLICATION_CREDENTIALS": file,
          "FIREBASE_AUTH_EMULATOR_HOST": "",
        ])
      #expect(visit.status == 0, "\(visit.output)")
    }
  }
}

extension ServerHome {
  /// Keeps the server's clock at the machine's time, against which the SDK checks the times in tokens.
  fileprivate func tick() -> Task<Void, Never> {
    clock.set(.now())
    return Task {
      while !Task.isCancelled {
        clock.set(.now())
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
  }
}

extension ServerSetup {
  /// Checks requests by the tokens and service accounts of a store.
  mutating func take(_ tokens: AdminTokens) {
    administration.tokens = tokens
    serviceAccounts = tokens.customTokenKeys
    admins = { token, projects in
      try await tokens.check(token, projects: projects).map {
        AdminRight(name: $0.name, scopes: Set($0.scopes.map(\.rawValue)), project: $0.project)
      }
    }
  }
}
