import AuthCore
import IdentityToolkit

/// Firebase's `mfaPendingCredential`: the ID of a sign-in that waits for its second factor.
struct PendingCredential: Sendable {
  let session: String
  /// The account whose session began a link that waits; nil for a sign-in.
  let holder: AccountID?

  init(session: String, holder: AccountID?) {
    self.session = session
    self.holder = holder
  }

  /// Names what waits for a resolver.
  init(of resolver: SecondFactorResolver, _ call: Call) {
    self.init(
      session: resolver.session,
      holder: try? call.body.filled("idToken").flatMap { _ in resolver.account })
  }

  /// Returns the caller who continues the pending sign-in.
  ///
  /// A client sends no ID token with it. The ID of the pending sign-in cannot be guessed, and stands for the session
  /// that began it. The rules then judge that session, not the request.
  func caller(_ call: Call) -> Caller {
    guard let holder else { return call.caller }
    var caller = Caller(
      scope: call.scope,
      authority: .session(holder, signedInAt: Timestamp(milliseconds: 0), secondFactor: false))
    caller.client = call.client
    return caller
  }

  /// The resolver as far as the graph needs it.
  var resolver: SecondFactorResolver {
    SecondFactorResolver(session: session, hints: [], expiresAt: Timestamp(milliseconds: 0))
  }
}
