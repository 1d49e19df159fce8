import AuthCore
import IdentityToolkit

/// Sign-in, linking and revocation with the credentials of an identity provider.
struct FederatedHandler: RequestHandler {
  let call: Call

  /// Returns the caller: the linking session, or an anonymous client.
  func asking(_ signedIn: SignedIn?) -> Caller {
    var caller = signedIn?.caller ?? caller
    caller.client = client
    return caller
  }
}
