import AuthClient
import Foundation
import Testing

@Suite("Sessions that outlive the app, on every backend") struct PersistenceTests {
  @Test func `a stored session that others could read is refused with a reason`() async throws {
    try await withAuth(.embedded) { home in
      let file = FileManager.default.temporaryDirectory
        .appending(path: "persistence-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      let first = home.another(storage: FileSessionStorage(url: file))
      try await home.ada(on: first)
      #expect(first.storedSessionError == nil)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)

      let second = home.another(storage: FileSessionStorage(url: file))

      #expect(second.currentUser == nil)
      let error = try #require(second.storedSessionError)
      #expect(AuthErrorCode(error) == .keychainError)
      #expect(error.localizedDescription.contains("chmod 600"))
    }
  }

  @Test(arguments: Backend.allCases)
  func `the user is there when the app starts again`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "persistence-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let storage = FileSessionStorage(url: folder.appending(path: "session"))
      let first = home.another(storage: storage)
      let ada = try await home.ada(on: first)
      try await ada.link(with: try home.google("ada@gmail.example"))
      let requests = home.traffic.paths.count

      let second = home.another(storage: storage)
      let (states, _) = second.hearingStates()
      let user = try #require(second.currentUser)
      #expect(user.uid == ada.uid && user.email == ada.email && user.providerIDs == ada.providerIDs)
      #expect(user.metadata.creationDate == ada.metadata.creationDate)
      #expect(try await user.getIDToken() == (try await ada.getIDToken()))
      #expect(home.traffic.paths.count == requests)
      #expect(await states.uids == [ada.uid])
      // The restored user knows the linked provider and the password.
      try await expectError(.providerAlreadyLinked) {
        try await user.link(with: try home.google("other@gmail.example"))
      }
      try await expectError(.providerAlreadyLinked) {
        try await user.link(with: home.emailAndPassword("other@example.com"))
      }

      home.pass(seconds: 3500)
      let renewed = try await user.getIDToken()
      let third = home.another(storage: storage)
      #expect(try await third.currentUser?.getIDToken() == renewed)
      try await third.currentUser?.reload()
      try third.signOut()
      #expect(home.another(storage: storage).currentUser == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an anonymous user and a tenant are kept as such`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let storage = MemorySessionStorage()
      let first = home.another(storage: storage)
      first.tenantID = try await home.openTenant()
      let user = try await first.signInAnonymously().user
      let second = home.another(storage: storage)

      #expect(second.currentUser?.isAnonymous == true)
      #expect(second.tenantID == first.tenantID && second.currentUser?.tenantID == first.tenantID)
      #expect(try await second.signInAnonymously().user.uid == user.uid)
      try await second.currentUser?.link(with: home.emailAndPassword("ada@example.com"))
      #expect(home.another(storage: storage).currentUser?.isAnonymous == false)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a session that ends is gone from the file as well`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let storage = MemorySessionStorage()
      let auth = home.another(storage: storage)
      let ada = try await home.ada(on: auth)
      try await home.disable(ada)
      try await expectError(.userDisabled) { try await ada.reload() }

      #expect(try storage.load() == nil)
      #expect(home.another(storage: storage).currentUser == nil)
    }
  }
}
