public import AuthCore
import Crypto
import Foundation

/// Makes and checks the codes of authenticator apps by HMAC-SHA-1 (RFC 6238 and RFC 4226).
public struct HMACTOTP: TOTPMethod {
  /// The shortest accepted secret in bytes; old apps still issue 80 bits.
  private static let fewestBytes = 10
  /// The length of a new secret in bytes: RFC 4226, section 4, recommends 160 bits.
  private static let newBytes = 20
  /// The largest drift in steps; a larger window would hold too many codes.
  private static let widestDrift = 100

  /// Makes the method, which has no settings.
  public init() {}

  /// Makes a secret of 160 bits in base32.
  public func newSecret() -> Secret<String> {
    let key = SymmetricKey(size: SymmetricKeySize(bitCount: Self.newBytes * 8))
    return Secret(key.withUnsafeBytes { Base32.text($0) })
  }

  /// The counter of the time step that a code belongs to; nil if it belongs to no step in the window.
  ///
  /// A code may contain spaces. A secret that is not base32 or is shorter than 80 bits matches no code, and a drift
  /// beyond 100 counts as 100. Each step of the window costs one HMAC, even after a match.
  public func step(
    of code: String, secret: Secret<String>, at now: Timestamp, drift: Int
  ) -> Int64? {
    guard let key = Self.key(secret), let digits = Self.digits(of: code) else { return nil }
    let present = Self.counter(at: now)
    let drift = Int64(min(max(0, drift), Self.widestDrift))
    var found: Int64?
    // If two steps have the same code, the later one counts, so that neither can be used again.
    for counter in (present - drift)...(present + drift) where counter >= 0 {
      if Self.code(counter, key).equalsInConstantTime(digits) { found = counter }
    }
    return found
  }

  /// The code that an app shows at a time, for rehearsals and tests; nil if the secret is invalid.
  public func code(for secret: Secret<String>, at time: Timestamp) -> String? {
    let counter = Self.counter(at: time)
    guard let key = Self.key(secret), counter >= 0 else { return nil }
    return String(decoding: Self.code(counter, key), as: UTF8.self)
  }

  private static func key(_ secret: Secret<String>) -> SymmetricKey? {
    guard let bytes = Base32.bytes(secret.reveal()), bytes.count >= fewestBytes else { return nil }
    return SymmetricKey(data: bytes)
  }

  /// The ASCII digits of a code; nil if it holds anything but digits and spaces.
  private static func digits(of code: String) -> [UInt8]? {
    let digits = code.utf8.filter { $0 != UInt8(ascii: " ") }
    let isCode =
      digits.count == TOTPParameters.digits
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isCode ? digits : nil
  }

  private static func counter(at time: Timestamp) -> Int64 {
    let (quotient, remainder) = time.milliseconds.quotientAndRemainder(
      dividingBy: TOTPParameters.period * 1000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  private static func code(_ counter: Int64, _ key: SymmetricKey) -> [UInt8] {
    let message = withUnsafeBytes(of: counter.bigEndian) { Data($0) }
    let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
    // RFC 4226, section 5.3: the last four bits give the offset of the 31 bits.
    let offset = Int(mac[mac.count - 1] & 0xF)
    var number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    var digits: [UInt8] = []
    for _ in 0..<TOTPParameters.digits {
      digits.append(UInt8(ascii: "0") + UInt8(number % 10))
      number /= 10
    }
    return digits.reversed()
  }
}
