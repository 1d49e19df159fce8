public import Foundation

/// Gets a credential from somebody at the provider's own page.
public protocol FederatedAuthProvider: NSObjectProtocol, Sendable {
  /// Has the person sign in at the provider, and makes a credential of its answer.
  func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential
}

/// Shows a provider's page to the person who signs in.
#if canImport(ObjectiveC)
  @objc(FIRAuthUIDelegate)
#endif
public protocol AuthUIDelegate: NSObjectProtocol {}

/// Opens pages in a browser and notices where it ends: a window of the app, or the platform's own.
///
/// With `ASWebAuthenticationSession`, for example, it starts the session with the page and gives back the
/// session's callback URL.
public protocol WebAuthPresenting: AuthUIDelegate, Sendable {
  /// The address that the browser goes to in the end; on one of the project's authorized domains.
  var returnURL: URL { get }

  /// Opens a page, and gives the address that the browser is sent to when it leaves the provider, with its
  /// query and its fragment: ``returnURL``, or the server's handler where the app catches that.
  ///
  /// Throws whatever there is to say where the person gives up; callers get that as `webContextCancelled`
  /// (17058).
  func present(_ page: URL) async throws -> URL
}

extension Auth {
  /// Signs in at the provider's own page.
  ///
  /// Throws what ``signIn(with:)`` does, `webContextCancelled` (17058) where the person gave up, and
  /// `webInternalError` (17062) where the delegate is none that can show a page.
  @discardableResult
  public func signIn(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await signIn(with: try await provider.credential(with: uiDelegate))
  }
}

extension User {
  /// Links a way in at the provider's own page; see ``link(with:)`` and ``Auth/signIn(with:uiDelegate:)``.
  @discardableResult
  public func link(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await link(with: try await provider.credential(with: uiDelegate))
  }

  /// Shows again whose account it is at the provider's own page; see ``reauthenticate(with:)`` and
  /// ``Auth/signIn(with:uiDelegate:)``.
  @discardableResult
  public func reauthenticate(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await reauthenticate(with: try await provider.credential(with: uiDelegate))
  }
}
