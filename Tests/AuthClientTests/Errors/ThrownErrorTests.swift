import AuthValues
import Foundation
import Testing

@testable import AuthClient

/// Thrown errors, as an app sees them.
@Suite struct ThrownErrorTests {
  private func fail(_ error: any Error) throws { throw error }

  @Test func `a thrown error is caught by its code`() {
    var caught = ""
    do {
      try fail(NSError.auth(.emailAlreadyInUse))
    } catch AuthErrorCode.invalidEmail {
      caught = "another"
    } catch AuthErrorCode.emailAlreadyInUse {
      caught = "it"
    } catch {
      caught = "\(error)"
    }
    #expect(caught == "it")
  }

  @Test func `a code can be thrown itself`() {
    var caught = ""
    do {
      try fail(AuthErrorCode.userDisabled)
    } catch AuthErrorCode.userDisabled {
      caught = "it"
    } catch {
      caught = "\(error)"
    }
    #expect(caught == "it")
  }

  @Test func `an error is compared by domain and number, as apps do`() {
    let error: any Error = NSError.auth(.secondFactorRequired)

    #expect((error as NSError).domain == AuthErrorDomain)
    #expect((error as NSError).code == AuthErrorCode.secondFactorRequired.rawValue)
  }

  @Test func `a switch tells codes apart, known or not`() {
    func word(_ code: AuthErrorCode?) -> String {
      switch code {
      case .weakPassword: "weak"
      case .wrongPassword?: "wrong"
      case nil: "none"
      default: "other"
      }
    }
    #expect(word(AuthErrorCode(rawValue: 17_026)) == "weak")
    #expect(word(AuthErrorCode(NSError.auth(.wrongPassword))) == "wrong")
    #expect(word(AuthErrorCode(NSError.auth(.userDisabled))) == "other")
    #expect(word(AuthErrorCode(NSError(domain: "elsewhere", code: 17_026))) == "none")
    #expect(word(AuthErrorCode(NSError(domain: AuthErrorDomain, code: 1))) == "none")
  }

  @Test func `a code as an error keeps domain, number and name`() {
    let error = AuthErrorCode.weakPassword as NSError

    #expect(error.domain == "FIRAuthErrorDomain")
    #expect(error.code == 17_026)
    #expect(error.userInfo["FIRAuthErrorUserInfoNameKey"] as? String == "ERROR_WEAK_PASSWORD")
  }

  @Test func `an error carries its given values and nothing else`() throws {
    let credential = GitHubAuthProvider.credential(withToken: "t0ken")
    let resolver = NSObject()
    let error = NSError.auth(
      .credentialAlreadyInUse, message: "In use.", reason: "Because.", email: "ada@example.com",
      updatedCredential: credential, resolver: resolver, underlying: URLError(.timedOut))

    #expect(error.localizedDescription == "In use.")
    #expect(error.localizedFailureReason == "Because.")
    #expect(error.userInfo[AuthErrorUserInfoEmailKey] as? String == "ada@example.com")
    #expect(error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCredential === credential)
    #expect(
      error.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? NSObject === resolver)
    let beneath = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(beneath.code == URLError.timedOut.rawValue)

    let bare = NSError.auth(.credentialAlreadyInUse, message: "", reason: "", email: "")
    #expect(
      Set(bare.userInfo.keys) == [AuthErrorUserInfoNameKey, NSLocalizedDescriptionKey])
  }

  @Test func `a thrown error has its values as members`() {
    let credential = GitHubAuthProvider.credential(withToken: "t0ken")
    let auth = Auth.preview()
    let resolver = MultiFactorResolver(
      pendingCredential: "pending", hints: [], auth: auth, purpose: .signIn)
    let error: any Error = NSError.auth(
      .credentialAlreadyInUse, email: "ada@example.com", updatedCredential: credential,
      resolver: resolver)

    #expect(error.authErrorCode == .credentialAlreadyInUse && error.email == "ada@example.com")
    #expect(error.updatedCredential === credential && error.multiFactorResolver === resolver)
    let other: any Error = CancellationError()
    #expect(other.authErrorCode == nil && other.email == nil && !other.isRetryable)
    #expect(other.updatedCredential == nil && other.multiFactorResolver == nil)
    let foreign = NSError(
      domain: "elsewhere", code: 17_025, userInfo: [AuthErrors.userInfoEmailKey: "x"])
    #expect(foreign.email == nil && foreign.authErrorCode == nil)
  }

  @Test func `a failure that passes is retryable, and a fault is not`() {
    func answer(_ status: Int, _ message: String) -> any Error {
      NSError.refusal(
        status: status, body: Data(#"{"error":{"message":"\#(message)"}}"#.utf8))
    }
    #expect(answer(503, "The service is unavailable now.").isRetryable)
    #expect(answer(502, "Bad gateway").isRetryable && answer(504, "Late").isRetryable)
    #expect(answer(400, "TOO_MANY_ATTEMPTS_TRY_LATER").isRetryable)
    #expect(NSError.noAnswer(URLError(.timedOut)).isRetryable)
    #expect(!answer(500, "An internal error has occurred.").isRetryable)
    #expect(!answer(503, "UNSURE_COMMIT").isRetryable)
    #expect(!answer(400, "EMAIL_EXISTS").isRetryable)
    #expect(!NSError.noAnswer(AuthError(.invalidArgument, "Another key.")).isRetryable)
  }

  @Test func `an error of a server in the same process has its reason`() throws {
    let cause = AuthError(
      .storeUnavailable, "The key file is gone.", remedy: "Put it back.")
    let fault = NSError.refusal(
      status: 503, body: Data(#"{"error":{"message":"The service is unavailable."}}"#.utf8),
      cause: cause)
    for error in [fault, NSError.noAnswer(cause)] {
      #expect(error.localizedFailureReason == "The key file is gone. Put it back.")
      let beneath = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
      #expect(beneath.localizedDescription == "The key file is gone.")
      #expect(beneath.localizedRecoverySuggestion == "Put it back.")
      #expect(error.isRetryable)
    }
  }

  @Test func `the keys are those of the Apple SDK`() {
    #expect(AuthErrors.domain == "FIRAuthErrorDomain")
    #expect(AuthErrorUserInfoNameKey == "FIRAuthErrorUserInfoNameKey")
    #expect(AuthErrorUserInfoEmailKey == "FIRAuthErrorUserInfoEmailKey")
    #expect(
      AuthErrorUserInfoUpdatedCredentialKey == "FIRAuthErrorUserInfoUpdatedCredentialKey")
    #expect(
      AuthErrorUserInfoMultiFactorResolverKey == "FIRAuthErrorUserInfoMultiFactorResolverKey")
  }

  @Test func `a missing answer has its cause as the underlying error`() throws {
    let error = NSError.noAnswer(URLError(.cannotConnectToHost))

    #expect(AuthErrorCode(error) == .networkError)
    let beneath = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(beneath.domain == NSURLErrorDomain)
  }

  @Test func `an answer that makes no sense is an internal error that can be looked into`() throws {
    let error = NSError.unexpectedAnswer(
      "It is no JSON.", status: 200, body: Data("<html>".utf8))

    #expect(AuthErrorCode(error) == .internalError)
    let beneath = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(beneath.domain == "FIRAuthInternalErrorDomain")
    #expect(beneath.code == 4)
    #expect(
      beneath.userInfo["FIRAuthErrorUserInfoDataKey"] as? Data == Data("<html>".utf8))
  }

  @Test func `an answer's tokens are not in an error`() throws {
    let body = Data(
      #"{"idToken":"s3cret-a","users":[{"pendingToken":"s3cret-b"}],"kind":"x","code":7}"#.utf8)
    let error = NSError.unexpectedAnswer("It has no sense.", status: 200, body: body)

    let beneath = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    let shown = try #require(
      beneath.userInfo["FIRAuthErrorUserInfoDeserializedResponseKey"] as? [String: Any])
    #expect(shown["kind"] as? String == "x")
    #expect(shown["code"] as? Int == 7)
    #expect(beneath.userInfo["FIRAuthErrorUserInfoDataKey"] == nil)
    #expect(!"\(error.userInfo) \(beneath.userInfo)".contains("s3cret"))
  }
}
