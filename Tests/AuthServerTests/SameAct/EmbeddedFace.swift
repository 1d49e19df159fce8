import AuthClient
import AuthCore
import AuthEmbedded
import AuthTesting
import Foundation
import Testing

/// The Swift client on the server's handlers, without a socket.
struct EmbeddedFace: Face {
  let name = FaceName.embedded

  func can(_ act: Act) -> Bool { ClientFace().can(act) }

  func perform(_ act: Act, on stage: Stage) async throws {
    let me = try await signedIn(stage.me, stage)
    do {
      switch act {
      case .link(let shown):
        try await me.user.link(with: try await credential(shown, me.auth, stage))
      case .unlink(let provider, _):
        _ = try await me.user.unlink(fromProvider: provider.rawValue)
      case .changeEmail(let email, _): try await me.user.updateEmail(to: email)
      case .merge:
        let other = try await signedIn(try #require(stage.other), stage)
        try await me.auth.merge(other.user, into: me.user)
      case .assert, .changeNumber, .bring: throw Wordless(face: name)
      }
    } catch {
      guard let code = AuthErrorCode(error) else { throw error }
      throw Refused(code: Self.code(code), said: "\(error)")
    }
  }

  /// A signed-in user, with the tokens.
  private struct SignedInUser {
    let auth: Auth
    let user: User
  }

  private func signedIn(_ staged: StagedAccount, _ stage: Stage) async throws -> SignedInUser {
    let clock = stage.server.clock
    let auth = Auth(
      backend: EmbeddedBackend(services: stage.server.services), apiKey: "test-key",
      clock: AuthClock(now: {
        Date(timeIntervalSince1970: Double(clock.now.milliseconds) / 1000)
      }))
    if let email = staged.email, staged.hasPassword {
      let result = try await auth.signIn(withEmail: email, password: Person.password)
      return SignedInUser(auth: auth, user: result.user)
    }
    let subject = try #require(staged.subjects.first)
    let result = try await auth.signIn(with: Self.vendor(subject, email: nil))
    return SignedInUser(auth: auth, user: result.user)
  }

  private func credential(
    _ shown: Shown, _ auth: Auth, _ stage: Stage
  ) async throws -> AuthCredential {
    switch shown {
    case .vendor(let subject, let email): return Self.vendor(subject, email: email)
    case .password(let email):
      return EmailAuthProvider.credential(withEmail: email, password: Shown.password)
    case .mail(let email):
      return EmailAuthProvider.credential(
        withEmail: email, link: try await stage.sentLink(to: email))
    case .number(let number):
      let sent = try await stage.server.phoneCode(number)
      return PhoneAuthProvider.provider(auth: auth).credential(
        withVerificationID: sent.session, verificationCode: sent.code)
    }
  }

  private static func vendor(
    _ subject: String, email: String?
  ) -> AuthCredential {
    OAuthProvider.credential(
      providerID: .custom(SameProvider.id.rawValue),
      idToken: SameProvider.token(subject, email: email))
  }

  /// Returns the graph's name of a client's code.
  private static func code(_ code: AuthErrorCode) -> String {
    code.name.replacing("ERROR_", with: "").lowercased().replacing("_", with: "-")
  }
}
