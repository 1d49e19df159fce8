import AuthValues
import Foundation
import IdentityToolkit

extension OAuthProvider: FederatedAuthProvider {
  /// Signs the person in at the provider's page, with ``scopes`` and ``customParameters``.
  ///
  /// Throws `webInternalError` (17062) unless the delegate is a ``WebAuthPresenting``, and `webContextCancelled`
  /// (17058) if the delegate throws. Throws `operationNotAllowed`, `invalidProviderID` or `unauthorizedDomain` if the
  /// server refuses to begin.
  public func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential {
    guard let presenter = uiDelegate as? any WebAuthPresenting else {
      throw NSError.auth(
        .webInternalError,
        message: "The provider's page cannot be shown. Pass a uiDelegate that conforms to "
          + "WebAuthPresenting.")
    }
    var members: [String: JSONValue] = [
      "providerId": .string(providerID), "continueUri": .string(presenter.returnURL.absoluteString),
    ]
    if let scopes { members["oauthScope"] = .string(scopes.joined(separator: " ")) }
    if let customParameters {
      members["customParameter"] = .object(customParameters.mapValues(JSONValue.string))
    }
    let begun = try await auth.toolkit.call(.createAuthUri, members)
    guard let page = begun.string("authUri").flatMap(URL.init(string:)),
      let session = begun.string("sessionId")
    else { throw NSError.answer(without: "authUri") }
    let end: URL
    do {
      end = try await presenter.present(page)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw NSError.auth(.webContextCancelled, underlying: error)
    }
    return OAuthCredential(
      provider: providerID,
      values: FederatedValues(callback: end.absoluteString, sessionID: session))
  }

  /// Runs ``credential(with:)`` and calls back on the main queue.
  public func getCredentialWith(
    _ uiDelegate: (any AuthUIDelegate & Sendable)?,
    completion: ((AuthCredential?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.credential(with: uiDelegate) }
  }
}
