import AuthValues
import Foundation

extension NSError {
  /// Makes an error of this module.
  ///
  /// The message replaces the code's own description. It never holds a secret.
  static func auth(
    _ code: AuthErrorCode, message: String? = nil, reason: String? = nil, email: String? = nil,
    updatedCredential: AuthCredential? = nil, resolver: AnyObject? = nil,
    underlying: (any Error)? = nil, isRetryable: Bool? = nil
  ) -> NSError {
    var userInfo = code.errorUserInfo
    if let message, !message.isEmpty { userInfo[NSLocalizedDescriptionKey] = message }
    if let reason, !reason.isEmpty { userInfo[NSLocalizedFailureReasonErrorKey] = reason }
    if let email, !email.isEmpty { userInfo[AuthErrors.userInfoEmailKey] = email }
    if let updatedCredential {
      userInfo[AuthErrors.userInfoUpdatedCredentialKey] = updatedCredential
    }
    if let resolver { userInfo[AuthErrors.userInfoMultiFactorResolverKey] = resolver }
    if let underlying { userInfo[NSUnderlyingErrorKey] = underlying as NSError }
    if let isRetryable { userInfo[AuthErrors.retryableKey] = isRetryable }
    return NSError(domain: AuthErrors.domain, code: code.rawValue, userInfo: userInfo)
  }

  /// The error for an empty new password, with the reason of Firebase's SDK.
  static var missingPassword: NSError { auth(.weakPassword, reason: "Missing Password") }

  /// Returns the error for a request without an answer.
  ///
  /// A backend in the same process gives the reason, such as a store that cannot be opened or another key. A reason that
  /// names a field needs a change of settings before a retry.
  static func noAnswer(_ cause: any Error) -> NSError {
    guard let error = cause as? AuthError else { return auth(.networkError, underlying: cause) }
    return auth(
      .networkError, reason: error.wholeText, underlying: error,
      isRetryable: error.code != .invalidArgument && error.field == nil)
  }

  /// Returns the error for a successful answer that lacks a required member or is not a JSON object.
  static func unexpectedAnswer(_ complaint: String, status: Int, body: Data) -> NSError {
    let message = "The server's answer makes no sense here: \(complaint)"
    return auth(
      .internalError, message: message,
      underlying: beneath(.unexpectedResponse, message, status: status, body: body))
  }

  /// The numbers of the internal domain.
  enum Inside: Int {
    case unexpectedErrorResponse = 3
    case unexpectedResponse = 4
  }

  /// Makes the error underneath an internal error.
  ///
  /// It contains the answer without secrets. If the answer has any, its bytes are left out.
  static func beneath(_ inside: Inside, _ message: String, status: Int, body: Data?) -> NSError {
    var userInfo: [String: Any] = [
      NSLocalizedDescriptionKey: "HTTP \(status): \(message)"
    ]
    guard let body, let json = try? JSONValue(text: String(decoding: body, as: UTF8.self)) else {
      if let body, !body.isEmpty { userInfo[AuthErrors.dataKey] = body }
      return NSError(
        domain: AuthErrors.internalDomain, code: inside.rawValue, userInfo: userInfo)
    }
    let shown = json.withoutSecrets
    userInfo[AuthErrors.deserializedResponseKey] = shown.foundationValue
    if shown == json { userInfo[AuthErrors.dataKey] = body }
    return NSError(domain: AuthErrors.internalDomain, code: inside.rawValue, userInfo: userInfo)
  }
}

extension AuthError {
  /// The message and the remedy.
  var wholeText: String { [message, remedy].compactMap(\.self).joined(separator: " ") }
}

extension JSONValue {
  /// The secret members of answers, in every spelling.
  private static let secrets: Set<String> = [
    "access_token", "id_token", "refresh_token", "idToken", "refreshToken", "accessToken",
    "oauthIdToken", "oauthAccessToken", "oauthTokenSecret", "oauthAuthorizationCode",
    "pendingToken", "nonce", "mfaPendingCredential", "temporaryProof", "sessionInfo",
    "sharedSecretKey", "passwordHash", "salt", "oobCode", "oobLink", "code", "email_link",
    "sessionId", "authUri", "sessionCookie", "rawUserInfo",
  ]

  /// The value without secret members.
  ///
  /// Numbers under these names, such as an error's code, stay.
  fileprivate var withoutSecrets: JSONValue {
    switch self {
    case .object(let members):
      .object(
        members.filter { name, value in
          value.stringValue == nil || !Self.secrets.contains(name)
        }.mapValues(\.withoutSecrets))
    case .array(let items): .array(items.map(\.withoutSecrets))
    default: self
    }
  }

  /// The value in the form of Foundation's JSON reader.
  var foundationValue: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let number): Int(number)
    case .number(let number): number
    case .string(let text): text
    case .array(let items): items.map(\.foundationValue)
    case .object(let members): members.mapValues(\.foundationValue)
    }
  }
}
