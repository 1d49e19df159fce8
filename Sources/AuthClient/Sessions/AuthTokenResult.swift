import AuthValues
public import Foundation

/// The content of an ID token.
///
/// It is parsed, not verified. Verify the token on a server before relying on it.
#if canImport(ObjectiveC)
  @objc(FIRAuthTokenResult)
#endif
public final class AuthTokenResult: NSObject, Sendable {
  /// The encoded token.
  public let token: String
  /// The end of the token's validity.
  public let expirationDate: Date
  /// The time of the sign-in, which a refresh does not change.
  public let authDate: Date
  /// The time at which the token was issued.
  public let issuedAtDate: Date
  /// The provider of the sign-in, such as `google.com`, `password`, `anonymous` or `custom`.
  public let signInProvider: String
  /// The kind of the second factor used at sign-in, `phone` or `totp`; empty if there was none.
  public let signInSecondFactor: String

  private let payload: [String: JSONValue]

  /// All claims, including custom ones, in the form of `JSONSerialization`.
  public var claims: [String: Any] { payload.mapValues(\.foundationValue) }

  /// Parses a token; throws `malformedJWT` if it is none or lacks a required claim.
  init(token: String) throws {
    guard let bytes = TokenParts(token).flatMap({ Base64.url.bytes(of: $0.payload) })
    else { throw Self.malformed("The token does not have three parts in base64url.", Data()) }
    let data = Data(bytes)
    guard case .object(let payload)? = try? JSONValue(text: String(decoding: bytes, as: UTF8.self))
    else { throw Self.malformed("The token's payload is not a JSON object.", data) }

    func date(_ claim: String) throws -> Date {
      switch payload[claim] {
      case .integer(let seconds): Date(timeIntervalSince1970: TimeInterval(seconds))
      case .number(let seconds): Date(timeIntervalSince1970: seconds)
      default: throw Self.malformed("The token's claim \(claim) is not a number.", data)
      }
    }
    expirationDate = try date("exp")
    authDate = try date("auth_time")
    issuedAtDate = try date("iat")
    guard let provider = payload["firebase"]?["sign_in_provider"]?.stringValue else {
      throw Self.malformed("The token does not say which provider the sign-in was with.", data)
    }
    signInProvider = provider
    signInSecondFactor = payload["firebase"]?["sign_in_second_factor"]?.stringValue ?? ""
    self.token = token
    self.payload = payload
    super.init()
  }

  /// Makes the error.
  ///
  /// The attached payload is no token without its signature.
  private static func malformed(_ message: String, _ payload: Data) -> NSError {
    let error = NSError.auth(.malformedJWT, message: message)
    return NSError(
      domain: error.domain, code: error.code,
      userInfo: error.userInfo.merging([AuthErrors.dataKey: payload]) { _, new in new })
  }
}

extension AuthTokenResult: CustomReflectable {
  /// Shows neither the token nor its claims.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["expirationDate": expirationDate, "signInProvider": signInProvider])
  }
}
