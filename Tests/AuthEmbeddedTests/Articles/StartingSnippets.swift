// snippet: imports
import AuthClient
// end
// snippet: embedded imports
import AuthEmbedded
// end
import Foundation
// snippet: store imports
import IdentityToolkitService
import SQLiteStore
// end

/// The ways to start, as README and the article of AuthClient show them.
enum StartingSnippets {
  static func server(_ server: URL, storage: any SessionStorage) async throws -> User {
    let (email, password) = ("ada@example.com", "correct horse")
    // snippet: server
    Auth.configure(backend: HTTPBackend(server: server), storage: storage)
    let result = try await Auth.auth().createUser(withEmail: email, password: password)
    print("\(result.user.uid) is signed in.")
    // end
    return result.user
  }

  static func emulator(_ port: Int) async throws -> User {
    // snippet: emulator
    Auth.auth().useEmulator(withHost: "127.0.0.1", port: port)
    let user = try await Auth.auth().signInAnonymously().user
    print("\(user.uid) is signed in, anonymously: \(user.isAnonymous).")
    // end
    return user
  }

  static func embedded(_ path: String) async throws -> User {
    let (email, password) = ("ada@example.com", "correct horse")
    // snippet: embedded
    let backend = EmbeddedBackend(
      store: try SQLiteStore(path: path), secrets: .keyFile("\(path).key"),
      options: ServiceOptions(project: "demo-shop"))
    let auth = Auth(backend: backend)
    let user = try await auth.createUser(withEmail: email, password: password).user
    // end
    return user
  }

  static func firebaseApp(_ server: URL, apiKey: String) -> Auth {
    // snippet: firebase app
    let options = FirebaseOptions(googleAppID: "1:1010:ios:1010", gcmSenderID: "1010")
    options.apiKey = apiKey
    options.authServerURL = server
    FirebaseApp.configure(options: options)
    // end
    return Auth.auth()
  }
}
