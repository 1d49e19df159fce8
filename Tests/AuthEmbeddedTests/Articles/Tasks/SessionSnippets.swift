import AuthClient
import Foundation

/// The snippets of the articles "The signed-in user" and "Actors and threads".
enum SessionSnippets {
  static func follow(_ auth: Auth, _ show: (String) async throws -> Void) async throws {
    // snippet: changes
    for await user in auth.authStateChanges {
      try await show(user?.email ?? "Nobody is signed in.")
    }
    // end
  }

  static func keepInFile(_ backend: any AuthBackend, folder: URL) -> Auth {
    // snippet: file storage
    let file = folder.appending(path: "session")
    let auth = Auth(backend: backend, storage: FileSessionStorage(url: file))
    if let error = auth.storedSessionError { print(error.localizedDescription) }
    // end
    return auth
  }

  static func keepInMemory(_ backend: any AuthBackend) -> Auth {
    // snippet: memory storage
    let auth = Auth(backend: backend, storage: MemorySessionStorage())
    // end
    return auth
  }

  static func claims(_ user: User) async throws -> Bool? {
    // snippet: claims
    let claims = try await user.getIDTokenResult(forcingRefresh: true).claims
    let isVerified = claims["email_verified"] as? Bool
    // end
    return isVerified
  }

  static func reloadIfOnline(_ user: User) async throws {
    // snippet: offline
    do {
      try await user.reload()
    } catch AuthErrorCode.networkError {
      print("There is no connection. \(user.email ?? user.uid) stays signed in.")
    }
    // end
  }
}

// snippet: listener
@MainActor final class AccountModel {
  private(set) var email: String?
  private let auth: Auth
  private var handle: (any NSObjectProtocol)?

  init(auth: Auth) {
    self.auth = auth
    handle = auth.addStateDidChangeListener { [weak self] _, user in
      self?.email = user?.email
    }
  }

  func stop() {
    if let handle { auth.removeStateDidChangeListener(handle) }
    handle = nil
  }
}
// end

// snippet: listener outside
/// Shows the current user; the listener is added outside of the main actor.
func show(_ auth: Auth, on screen: Screen) -> any NSObjectProtocol {
  auth.addStateDidChangeListener { _, user in
    MainActor.assumeIsolated { screen.title = user?.email ?? "Nobody" }
  }
}

@MainActor final class Screen {
  var title = ""
}
// end

// snippet: actor
actor Orders {
  private let user: User

  init(of user: User) {
    self.user = user
  }

  /// The header that the app's own server verifies.
  func authorization() async throws -> String {
    "Bearer \(try await user.getIDToken())"
  }
}
// end
