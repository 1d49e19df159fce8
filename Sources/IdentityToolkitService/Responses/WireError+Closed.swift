import AuthCore
import IdentityToolkit

extension AuthError {
  /// The refusal of a provider that the settings close.
  static func closed(_ provider: ProviderID) -> AuthError {
    var settings = SignInSettings()
    settings.closedProviders = [provider]
    do throws(AuthError) {
      try settings.check(provider, by: Caller(scope: Scope(project: ""), authority: .anyone))
    } catch {
      return error
    }
    return AuthError(.operationNotAllowed, "Signing in with \(provider) is closed.")
  }
}

extension ServiceBehavior {
  /// Returns the answer to a closed provider: `OPERATION_NOT_ALLOWED`, or `ADMIN_ONLY_OPERATION` for anonymous accounts.
  func closed(_ provider: ProviderID) -> WireError { told(.closed(provider)) }
}
