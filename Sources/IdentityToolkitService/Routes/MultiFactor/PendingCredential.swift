import AuthCore
import IdentityToolkit

/// Firebase's `mfaPendingCredential`: names a sign-in that waits for its second factor.
struct PendingCredential: Sendable {
  let session: String
  /// Whose session began what waits, where one did: of a link that has to go on in it.
  let holder: AccountID?

  init(session: String, holder: AccountID?) {
    self.session = session
    self.holder = holder
  }

  /// Names what waits for a resolver.
  init(of resolver: MultiFactorResolver, _ call: Call) {
    self.init(
      session: resolver.session,
      holder: try? call.body.filled("idToken").flatMap { _ in resolver.account })
  }

  /// Who goes on with what waits.
  ///
  /// A client sends no ID token with it. The name of what waits, which nobody can guess, stands for the session
  /// that began it; what is done then is judged by that session as it was, not by what is said here.
  func caller(_ call: Call) -> Caller {
    guard let holder else { return call.caller }
    var caller = Caller(
      scope: call.scope,
      authority: .session(holder, signedInAt: Timestamp(milliseconds: 0), secondFactor: false))
    caller.client = call.client
    return caller
  }

  /// What the graph takes in place of the resolver that it gave.
  var resolver: MultiFactorResolver {
    MultiFactorResolver(session: session, hints: [], expiresAt: Timestamp(milliseconds: 0))
  }
}
