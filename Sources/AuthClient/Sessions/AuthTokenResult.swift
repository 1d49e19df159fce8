import AuthCore
public import Foundation

/// An ID token and what it says.
///
/// The signature is not checked: whoever relies on what a token says has to check it on a server.
#if canImport(ObjectiveC)
  @objc(FIRAuthTokenResult)
#endif
public final class AuthTokenResult: NSObject, Sendable {
  /// The token as it is sent.
  public let token: String
  public let expirationDate: Date
  /// When the person signed in.
  public let authDate: Date
  /// When this token was made.
  public let issuedAtDate: Date
  /// The provider of the sign-in, such as `google.com`.
  public let signInProvider: String
  /// The kind of second factor that was shown, such as `phone`; empty where none was.
  public let signInSecondFactor: String
  private let payload: [String: JSONValue]

  /// Reads a token; throws `malformedJWT` (18000).
  init(token: String) throws {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let data = Self.decode(parts[1]),
      let value = try? JSONValue(text: String(decoding: data, as: UTF8.self)),
      case .object(let claims) = value
    else { throw NSError.auth(.malformedJWT) }
    self.token = token
    payload = claims
    expirationDate = Self.date(claims["exp"])
    issuedAtDate = Self.date(claims["iat"])
    authDate = Self.date(claims["auth_time"])
    let firebase = claims["firebase"]
    signInProvider = firebase?["sign_in_provider"]?.stringValue ?? ""
    signInSecondFactor = firebase?["sign_in_second_factor"]?.stringValue ?? ""
  }

  /// Everything that the token says, custom claims among it.
  public var claims: [String: Any] { payload.mapValues(\.foundationValue) }

  /// The provider alone: a description is printed, and a token opens the account.
  public override var description: String { "AuthTokenResult of \(signInProvider)" }

  private static func date(_ value: JSONValue?) -> Date {
    switch value {
    case .integer(let seconds)?: Date(timeIntervalSince1970: Double(seconds))
    case .number(let seconds)?: Date(timeIntervalSince1970: seconds)
    default: .distantPast
    }
  }

  /// Base 64 with the alphabet of URLs and without padding (RFC 7515, appendix C).
  private static func decode(_ text: Substring) -> Data? {
    var base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
    return Data(base64Encoded: String(base64))
  }
}
