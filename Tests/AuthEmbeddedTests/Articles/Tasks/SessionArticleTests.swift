import AuthClient
import Foundation
import NIOConcurrencyHelpers
import Testing

/// The code of the articles on the signed-in user and on actors, run on every backend.
@Suite struct `The code of the articles on sessions` {
  @Test(arguments: Backend.allCases)
  func `follows the current user until its task ends`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let shown = NIOLockedValueBox<[String]>([])
      let following = Task {
        try await SessionSnippets.follow(home.auth) { text in
          let count = shown.withLockedValue { shown in
            shown.append(text)
            return shown.count
          }
          switch count {
          case 1: try await home.ada()
          case 2: try home.auth.signOut()
          default: withUnsafeCurrentTask { $0?.cancel() }
          }
        }
      }
      try await following.value
      #expect(
        shown.withLockedValue(\.self)
          == ["Nobody is signed in.", "ada@example.com", "Nobody is signed in."])
    }
  }

  @Test(arguments: Backend.allCases)
  func `listens on the main actor`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let model = await AccountModel(auth: home.auth)
      let screen = Screen()
      let handle = show(home.auth, on: screen)
      try await home.ada()
      await settled()
      #expect(await model.email == "ada@example.com")
      #expect(await screen.title == "ada@example.com")
      await model.stop()
      try home.auth.signOut()
      await settled()
      #expect(await model.email == "ada@example.com")
      #expect(await screen.title == "Nobody")
      home.auth.removeStateDidChangeListener(handle)
    }
  }

  @Test(arguments: Backend.allCases)
  func `keeps the user in a file, or in memory alone`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      let first = SessionSnippets.keepInFile(home.traffic, folder: folder)
      let user = try await home.ada(on: first)
      #expect(SessionSnippets.keepInFile(home.traffic, folder: folder).currentUser?.uid == user.uid)
      #expect(SessionSnippets.keepInMemory(home.traffic).currentUser == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `reads claims, and gives an actor the user`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.verifiedAda()
      #expect(try await SessionSnippets.claims(user) == true)
      let header = try await Orders(of: user).authorization()
      #expect(header == "Bearer \(try await user.getIDToken())")
    }
  }

  @Test(arguments: Backend.allCases)
  func `stays signed in without a connection`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.ada()
      home.traffic.cut()
      try await SessionSnippets.reloadIfOnline(user)
      #expect(home.auth.currentUser === user)
      try await expectError(.networkError) { try await user.reload() }
      home.traffic.cut(false)
      try await user.reload()
    }
  }
}
