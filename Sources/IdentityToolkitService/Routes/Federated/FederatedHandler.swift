import AuthCore
import IdentityToolkit

/// Signing in, linking and revoking with what an identity provider gave an app.
struct FederatedHandler: RequestHandler {
  let call: Call

  /// Who asks: the session that links, or somebody who is nobody yet.
  func asking(_ signedIn: SignedIn?) -> Caller {
    var caller = signedIn?.caller ?? caller
    caller.client = client
    return caller
  }
}
