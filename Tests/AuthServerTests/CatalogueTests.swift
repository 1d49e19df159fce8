import AuthCore
import AuthTesting
import LuaPlugins
import Testing

@testable import IdentityToolkitService

/// A request that provokes an error code.
struct Provocation: Sendable, CustomTestStringConvertible {
  let code: String
  let mode: ServerMode
  var configure: @Sendable (inout ServerSetup) -> Void = { _ in }
  let ask: @Sendable (ServerHome) async throws -> Reply

  var testDescription: String { "\(mode.rawValue): \(code)" }

  init(
    _ code: String, _ mode: ServerMode = .emulator,
    configure: @escaping @Sendable (inout ServerSetup) -> Void = { _ in },
    _ ask: @escaping @Sendable (ServerHome) async throws -> Reply
  ) {
    (self.code, self.mode, self.configure, self.ask) = (code, mode, configure, ask)
  }

  /// Makes a client's request that needs no preparation.
  init(
    _ code: String, _ path: String, _ body: JSONValue = [:], in mode: ServerMode = .emulator
  ) {
    self.init(code, mode) { try await $0.post(path, body) }
  }
}

@Suite struct `Every code of the protocol's catalogue` {
  @Test(arguments: Provocation.emulator + Provocation.production)
  func `is answered if it is due`(provocation: Provocation) async throws {
    try await withServer(
      provocation.mode,
      configure: { setup in
        setup.hooks = LuaSignInHooks()
        provocation.configure(&setup)
      }
    ) { home in
      let reply = try await provocation.ask(home)
      let code = provocation.code
      // Some codes are part of an answer that succeeded otherwise.
      let said =
        reply.message ?? reply.json["errorMessage"]?.stringValue
        ?? reply.json["errors"]?.items.first?["message"]?.stringValue ?? ""
      let isMeant =
        said == code || said.hasPrefix("\(code) : ")
        || reply.json["error"]?["status"]?.stringValue == code
      #expect(isMeant, "\(code): \(reply.status) \(reply.text)")
    }
  }

  @Test func `is provoked here, or has a reason why it cannot be`() {
    let provoked = Set((Provocation.emulator + Provocation.production).map(\.code))
    #expect(Self.catalogue.subtracting(provoked).subtracting(Self.absent.keys) == [])
    #expect(provoked.intersection(Self.absent.keys) == [])
    let raisedByEmulator = Set(Provocation.emulator.map(\.code))
    #expect(Self.emulators.subtracting(raisedByEmulator) == [])
  }

  /// The codes of the emulator.
  static let emulators: Set<String> = [
    "ADMIN_ONLY_OPERATION", "BLOCKING_FUNCTION_ERROR_RESPONSE", "CLAIMS_TOO_LARGE",
    "INVALID_CLAIMS", "FORBIDDEN_CLAIM", "CREDENTIAL_ALREADY_IN_USE", "INVALID_CREDENTIAL_ID",
    "MISSING_AUTHENTICATOR_RESPONSE", "PASSKEY_CREDENTIAL_NOT_FOUND", "DUPLICATE_EMAIL",
    "DUPLICATE_RAW_ID", "DUPLICATE_LOCAL_ID", "DUPLICATE_MFA_ENROLLMENT_ID", "EMAIL_EXISTS",
    "EMAIL_NOT_FOUND", "FEDERATED_USER_ID_ALREADY_LINKED", "INSUFFICIENT_PERMISSION",
    "INVALID_ARGUMENT", "INVALID_BLOCKING_FUNCTION", "INVALID_CODE", "INVALID_CONTINUE_URI",
    "MISSING_CONTINUE_URI", "INVALID_CREDENTIAL_OR_PROVIDER_ID", "INVALID_CUSTOM_TOKEN",
    "MISSING_CUSTOM_TOKEN", "INVALID_DURATION", "INVALID_EMAIL", "INVALID_IDENTIFIER",
    "INVALID_GRANT_TYPE", "MISSING_GRANT_TYPE", "INVALID_ID_TOKEN", "MISSING_ID_TOKEN",
    "INVALID_IDP_RESPONSE", "INVALID_LOGIN_CREDENTIALS", "INVALID_MFA_ENROLLMENT_ID",
    "INVALID_MFA_PHONE_NUMBER", "INVALID_OOB_CODE", "MISSING_OOB_CODE", "INVALID_PASSWORD",
    "INVALID_PHONE_NUMBER", "MISSING_PHONE_NUMBER", "INVALID_PROJECT_ID", "INVALID_REFRESH_TOKEN",
    "MISSING_REFRESH_TOKEN", "INVALID_REQUEST_URI", "MISSING_REQUEST_URI", "INVALID_REQ_TYPE",
    "MISSING_REQ_TYPE", "INVALID_SESSION_INFO", "MISSING_SESSION_INFO", "INVALID_TEMPORARY_PROOF",
    "LOCAL_ID_LIST_EXCEEDS_LIMIT", "MISSING_LOCAL_ID", "MISSING_USER_ACCOUNT",
    "MFA_ENROLLMENT_NOT_FOUND", "MISSING_CODE", "MISSING_CREDENTIAL", "MISSING_EMAIL",
    "MISSING_NEW_EMAIL", "MISSING_IDENTIFIER", "MISSING_PASSWORD", "MISSING_PROVIDER_ID",
    "MISSING_RAW_ID", "MISSING_MFA_ENROLLMENT_ID", "MISSING_MFA_PENDING_CREDENTIAL",
    "NOT_DISABLED", "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED", "PHONE_NUMBER_EXISTS",
    "PROJECT_DISABLED", "SECOND_FACTOR_EXISTS", "TENANT_ID_MISMATCH",
    "UNSUPPORTED_TENANT_OPERATION", "TOKEN_EXPIRED", "UNEXPECTED_PARAMETER",
    "UNSUPPORTED_FIRST_FACTOR", "UNVERIFIED_EMAIL", "USER_DISABLED", "USER_NOT_FOUND",
    "WEAK_PASSWORD",
  ]

  /// The codes of production alone, or of clients.
  static let catalogue: Set<String> = emulators.union([
    "API key not valid. Please pass a valid API key.", "APP_NOT_VERIFIED", "INTERNAL",
    "MISSING_APP_CREDENTIAL", "INVALID_APP_CREDENTIAL", "MISSING_CLIENT_IDENTIFIER",
    "MISSING_IOS_APP_TOKEN", "INVALID_APP_ID", "INVALID_CERT_HASH", "CAPTCHA_CHECK_FAILED",
    "CREDENTIAL_MISMATCH", "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "EMAIL_CHANGE_NEEDS_VERIFICATION",
    "EXPIRED_OOB_CODE", "UNAUTHORIZED_DOMAIN", "INVALID_NEW_EMAIL", "INVALID_HOSTING_LINK_DOMAIN",
    "INVALID_DYNAMIC_LINK_DOMAIN", "DYNAMIC_LINK_NOT_ACTIVATED", "INVALID_MESSAGE_PAYLOAD",
    "INVALID_SENDER", "INVALID_RECIPIENT_EMAIL", "INVALID_MFA_PENDING_CREDENTIAL",
    "INVALID_OAUTH_CLIENT_ID", "INVALID_PROVIDER_ID", "INVALID_PAGE_SELECTION",
    "INVALID_PENDING_TOKEN", "SESSION_EXPIRED", "INVALID_TENANT_ID", "TENANT_NOT_FOUND",
    "MISSING_OR_INVALID_NONCE", "PASSWORD_DOES_NOT_MEET_REQUIREMENTS", "PROJECT_NUMBER_MISMATCH",
    "QUOTA_EXCEEDED", "TOO_MANY_ATTEMPTS_TRY_LATER", "RESET_PASSWORD_EXCEED_LIMIT",
    "RECAPTCHA_NOT_ENABLED", "MISSING_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_TOKEN",
    "INVALID_RECAPTCHA_ACTION", "MISSING_CLIENT_TYPE", "MISSING_RECAPTCHA_VERSION",
    "INVALID_RECAPTCHA_VERSION", "REJECTED_CREDENTIAL", "SECOND_FACTOR_LIMIT_EXCEEDED",
    "UNSUPPORTED_SECOND_FACTOR", "USER_CANCELLED", "CORS_UNSUPPORTED",
  ])

  /// The reason that a code is never answered, or the test that covers it.
  static let absent: [String: String] = {
    let phoneApp = "apps are verified by the host's own verifier alone; see AppVerificationTests"
    let captcha = "there is no reCAPTCHA"
    let mail = "mail is sent after the answer, so what is wrong with it is in the log"
    return [
      "APP_NOT_VERIFIED": phoneApp, "MISSING_APP_CREDENTIAL": phoneApp,
      "MISSING_CLIENT_IDENTIFIER": phoneApp, "INVALID_APP_ID": phoneApp,
      "INVALID_CERT_HASH": phoneApp, "CAPTCHA_CHECK_FAILED": captcha,
      "DYNAMIC_LINK_NOT_ACTIVATED": "there are no dynamic links",
      "INVALID_MESSAGE_PAYLOAD": mail, "INVALID_SENDER": mail, "INVALID_RECIPIENT_EMAIL": mail,
      "INVALID_TENANT_ID": "a tenant that is not there is TENANT_NOT_FOUND",
      "MISSING_OR_INVALID_NONCE": "needs a vendor's token; see VendorSignInTests",
      "PROJECT_NUMBER_MISMATCH":
        "a refresh token of another project is INVALID_REFRESH_TOKEN, which tells less",
      "INTERNAL":
        "no request causes one; Firebase's says it of a new tenant with a tenantId, INVALID_ARGUMENT here",
      "QUOTA_EXCEEDED": "said by message senders alone",
      "RESET_PASSWORD_EXCEED_LIMIT": "limits answer TOO_MANY_ATTEMPTS_TRY_LATER",
      "RECAPTCHA_NOT_ENABLED": captcha, "MISSING_RECAPTCHA_TOKEN": captcha,
      "INVALID_RECAPTCHA_TOKEN": captcha, "INVALID_RECAPTCHA_ACTION": captcha,
      "MISSING_CLIENT_TYPE": captcha, "MISSING_RECAPTCHA_VERSION": captcha,
      "INVALID_RECAPTCHA_VERSION": captcha,
      "REJECTED_CREDENTIAL": "a credential that is no good is INVALID_IDP_RESPONSE",
      "UNSUPPORTED_SECOND_FACTOR": "uploads say it of one account, as Second factor not supported.",
      "USER_CANCELLED": "clients say it to themselves",
      "CORS_UNSUPPORTED": "clients say it to themselves",
    ]
  }()
}
