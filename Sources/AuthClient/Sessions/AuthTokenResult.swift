import AuthValues
public import Foundation

/// Says what an ID token says.
///
/// It is read, not verified: whoever relies on it has to check the token on a server.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRAuthTokenResult)
#endif
public final class AuthTokenResult: NSObject, Sendable {
  /// The token itself, as requests carry it.
  public let token: String
  public let expirationDate: Date
  /// When the user signed in, which refreshing a token leaves as it is.
  public let authDate: Date
  public let issuedAtDate: Date
  /// The provider of the sign-in, such as `google.com`, `password`, `anonymous` or `custom`.
  public let signInProvider: String
  /// The kind of the second factor that the sign-in took, `phone` or `totp`; empty where it took none.
  public let signInSecondFactor: String

  private let payload: [String: JSONValue]

  /// Everything that the token says, as `JSONSerialization` would give it; custom claims are among it.
  public var claims: [String: Any] { payload.mapValues(\.foundationValue) }

  /// Reads a token; throws `malformedJWT` where it is none, or lacks what every ID token has.
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

  /// Makes the error, with the payload beside it, which is no token without its signature.
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
