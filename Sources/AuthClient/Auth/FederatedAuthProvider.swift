public import Foundation

/// A provider whose own web page gives a credential.
public protocol FederatedAuthProvider: NSObjectProtocol, Sendable {
  /// Has the person sign in at the provider, and returns a credential made of the answer.
  func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential
}

/// An app's part in showing a provider's page.
#if canImport(ObjectiveC)
  @objc(FIRAuthUIDelegate)
#endif
public protocol AuthUIDelegate: NSObjectProtocol {}

/// A delegate that opens pages in a browser and captures the final address.
///
/// With `ASWebAuthenticationSession`, for example, it starts a session with the page and returns the callback URL.
public protocol WebAuthPresenting: AuthUIDelegate, Sendable {
  /// The final address of the browser, on one of the project's authorized domains.
  var returnURL: URL { get }

  /// Opens a page and returns the address, with query and fragment, to which the provider redirects the browser.
  ///
  /// That is ``returnURL``, or the server's handler if the app captures it. If the person cancels, it throws any
  /// error; callers get `webContextCancelled` (17058).
  func present(_ page: URL) async throws -> URL
}

extension Auth {
  /// Signs in at the provider's web page.
  ///
  /// Throws the errors of ``signIn(with:)``, `webContextCancelled` (17058) if the person cancels, and
  /// `webInternalError` (17062) if the delegate cannot show a page.
  @discardableResult
  public func signIn(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await signIn(with: try await provider.credential(with: uiDelegate))
  }
}

extension User {
  /// Links an identity at the provider's web page; see ``link(with:)`` and ``Auth/signIn(with:uiDelegate:)``.
  @discardableResult
  public func link(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await link(with: try await provider.credential(with: uiDelegate))
  }

  /// Reauthenticates at the provider's web page; see ``reauthenticate(with:)`` and ``Auth/signIn(with:uiDelegate:)``.
  @discardableResult
  public func reauthenticate(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await reauthenticate(with: try await provider.credential(with: uiDelegate))
  }
}
