import Foundation

/// Clients for previews of views, and for tests of views: signed in or not, without a server or a network.
extension Auth {
  /// Makes a client with a signed-in user, or without one.
  ///
  /// ```swift
  /// #Preview { ProfileView(auth: .preview(signedInAs: PreviewUser(displayName: "Ada"))) }
  /// ```
  ///
  /// Reading the user, listening, ID tokens and ``signOut()`` work. What asks the server throws `networkError`. No server
  /// accepts the ID token.
  public static func preview(signedInAs user: PreviewUser? = nil) -> Auth {
    Auth(backend: PreviewBackend(), apiKey: "preview", storage: storage(of: user))
  }

  /// Configures ``auth()`` for a preview, like ``preview(signedInAs:)``.
  ///
  /// ```swift
  /// #Preview {
  ///   let _ = Auth.configure(previewSignedInAs: .anonymous)
  ///   ProfileView()
  /// }
  /// ```
  @discardableResult
  public static func configure(previewSignedInAs user: PreviewUser?) -> Auth {
    configure(backend: PreviewBackend(), apiKey: "preview", storage: storage(of: user))
  }

  private static func storage(of user: PreviewUser?) -> MemorySessionStorage {
    let storage = MemorySessionStorage()
    if let data = try? user?.stored.encoded() { try? storage.save(data) }
    return storage
  }
}
