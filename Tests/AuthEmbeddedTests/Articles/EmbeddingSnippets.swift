import AuthClient
// snippet: core import
import AuthCore
// end
import AuthEmbedded
import IdentityToolkitService
import SQLiteStore

/// The snippets of the article "Embed it".
enum EmbeddingSnippets {
  static func open(_ path: String) throws -> EmbeddedBackend {
    // snippet: open
    let backend = EmbeddedBackend(
      store: try SQLiteStore(path: path), secrets: .keyFile("\(path).key"),
      options: ServiceOptions(project: "demo-shop"))
    // end
    return backend
  }

  static func auth(_ backend: EmbeddedBackend, storage: any SessionStorage) -> Auth {
    // snippet: auth of a backend
    let auth = Auth(backend: backend, storage: storage)
    // end
    return auth
  }

  static func signUpAndIn(_ auth: Auth, email: String, password: String) async throws -> User {
    // snippet: sign up and in
    let created = try await auth.createUser(withEmail: email, password: password)
    print("\(created.user.uid) has an account.")
    try auth.signOut()
    let user = try await auth.signIn(withEmail: email, password: password).user
    print("\(user.uid) is back.")
    // end
    return user
  }

  static func setUpGoogle(_ backend: EmbeddedBackend, clientID: String) async throws {
    // snippet: set up Google
    let admin = Caller(
      scope: Scope(project: "demo-shop"), authority: .admin("setup"), reason: "Google sign-in")
    _ = try await backend.graph.configure(
      .google, values: ["clientIDs": [.string(clientID)]], by: admin)
    // end
  }

  static func linkGoogle(_ user: User, idToken: String, accessToken: String) async throws {
    // snippet: link Google
    let google = GoogleAuthProvider.credential(withIDToken: idToken, accessToken: accessToken)
    let linked = try await user.link(with: google).user
    print("\(linked.uid) signs in with \(linked.providerData.map(\.providerID)).")
    // end
  }

  static func history(_ user: User, _ backend: EmbeddedBackend) async throws -> [AuditEvent] {
    // snippet: history
    let events = try await backend.graph.history(
      of: AccountID(user.uid), limit: 10, in: Scope(project: "demo-shop"))
    for event in events { print(event.at.text, event.action.rawValue) }
    // end
    return events
  }
}
