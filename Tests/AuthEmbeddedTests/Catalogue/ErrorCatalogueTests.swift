import AuthClient
import Foundation
import Testing

@Suite("Every error of the client") struct ErrorCatalogueTests {
  @Test(arguments: Provoked.all)
  func `each code happens, with its description`(_ provoked: Provoked) async throws {
    let provocation = provoked.provocation
    try await withAuth(provoked.backend, { provocation.configure(&$0) }) { home in
      let error = try await expectError(provocation.code) { try await provocation.run(home) }

      #expect(error.domain == "FIRAuthErrorDomain")
      #expect(error.userInfo["FIRAuthErrorUserInfoNameKey"] as? String == provocation.code.name)
      #expect((error.userInfo[NSLocalizedDescriptionKey] as? String)?.isEmpty == false)
      for key in provocation.keys { #expect(error.userInfo[key] != nil, "\(key)") }
      let expected = Set(provocation.keys)
      for key in [
        AuthErrors.userInfoEmailKey, AuthErrors.userInfoUpdatedCredentialKey,
        AuthErrors.userInfoMultiFactorResolverKey, NSUnderlyingErrorKey,
      ] where !expected.contains(key) {
        #expect(error.userInfo[key] == nil, "\(key)")
      }
    }
  }

  @Test func `every code is provoked, or has a reason why it cannot be`() {
    let provoked = Set(Provocation.all.map(\.code))
    let excused = Set(Self.excused.keys)

    #expect(provoked.isDisjoint(with: excused))
    #expect(provoked.union(excused) == Set(AuthErrorCode.allCases))
    #expect(AuthErrorCode.allCases.count == 91)
  }

  private static let push = "There is no push message here that could prove an app."
  private static let web = "Signing in by a page that the client shows is no part of it."
  private static let captcha = "AuthGraph asks for no reCAPTCHA, and the client has none to answer."

  /// The codes that no request here leads to.
  static let excused: [AuthErrorCode: String] = [
    .appNotAuthorized: "The server binds no API key to an app or to an address.",
    .invalidMessagePayload: "The texts of messages are the server's own.",
    .invalidSender: "The sender of messages is set up with the server, before anything is sent.",
    .invalidRecipientEmail: "An address is checked before a message is made: it is invalidEmail.",
    .missingIosBundleID:
      "It is asked for with an App Store number alone, which the client has none of.",
    .invalidAppCredential: "The client sends no app credential that could be wrong.",
    .missingAppToken: push, .notificationNotForwarded: push, .appNotVerified: push,
    .missingClientIdentifier: push, .captchaCheckFailed: captcha,
    .webContextAlreadyPresented: web, .webContextCancelled: web,
    .appVerificationUserInteractionFailure: web, .invalidClientID: web,
    .webNetworkRequestFailed: web, .webInternalError: web,
    .webSignInUserInteractionFailure: web,
    .localPlayerNotAuthenticated: "Without GameKit no player is asked for: it is gameKitNotLinked.",
    .rejectedCredential: "No answer of Firebase's becomes it.",
    .invalidReqType: "The client sends types of requests that the server knows.",
    .recaptchaNotEnabled: captcha, .missingRecaptchaToken: captcha,
    .invalidRecaptchaToken: captcha, .invalidRecaptchaAction: captcha,
    .missingClientType: captcha, .missingRecaptchaVersion: captcha,
    .invalidRecaptchaVersion: captcha, .recaptchaSDKNotLinked: captcha,
    .recaptchaSiteKeyMissing: captcha, .recaptchaActionCreationFailed: captcha,
  ]
}
