import AuthValues
import Crypto

/// Gives scripts digests and message authentication codes.
enum HashLibrary {
  static var functions: [String: (LuaCall) throws -> [LuaValue]] {
    [
      "sha256": { try digest($0, SHA256.self) },
      "sha512": { try digest($0, SHA512.self) },
      // For protocols that demand them: collisions of both can be made.
      "sha1": { try digest($0, Insecure.SHA1.self) },
      "md5": { try digest($0, Insecure.MD5.self) },
      "hmac": hmac,
      "equals": equals,
    ]
  }

  private static func digest<H: HashFunction>(
    _ call: LuaCall, _: H.Type
  ) throws -> [LuaValue] {
    var hash = H()
    let data = try call.bytesOrSecret(1, "data")
    try inPieces(data.bytes, call) { hash.update(data: $0) }
    let digest = Array(hash.finalize())
    guard data.isSecret else { return [.string(try rendered(digest, call, 2))] }
    // The digest of a secret is itself a secret: of bytes, or of a text if a format is given.
    return [
      .secret(call.isNil(2) ? LuaSecret(digest) : LuaSecret(try rendered(digest, call, 2)))
    ]
  }

  /// Compares two texts or secrets in constant time.
  private static func equals(_ call: LuaCall) throws -> [LuaValue] {
    let a = try call.bytesOrSecret(1, "a").bytes
    let b = try call.bytesOrSecret(2, "b").bytes
    try call.charge((a.count + b.count) / 4)
    return [.bool(a.equalsInConstantTime(b))]
  }

  private static func hmac(_ call: LuaCall) throws -> [LuaValue] {
    let algorithm = try call.string(1, "algorithm")
    let (keyBytes, isKeySecret) = try call.bytesOrSecret(2, "key")
    let key = SymmetricKey(data: keyBytes)
    let (data, isDataSecret) = try call.bytesOrSecret(3, "data")
    let code: [UInt8]
    switch algorithm {
    case "sha256": code = try authenticate(data, HMAC<SHA256>(key: key), call)
    case "sha512": code = try authenticate(data, HMAC<SHA512>(key: key), call)
    case "sha1": code = try authenticate(data, HMAC<Insecure.SHA1>(key: key), call)
    case "md5": code = try authenticate(data, HMAC<Insecure.MD5>(key: key), call)
    default:
      throw call.argumentError(
        1, "'sha256', 'sha512', 'sha1' or 'md5' expected, got '\(algorithm)'")
    }
    // Under a known key, the code of a secret is a digest of it.
    guard isDataSecret && !isKeySecret else { return [.string(try rendered(code, call, 4))] }
    return [.secret(call.isNil(4) ? LuaSecret(code) : LuaSecret(try rendered(code, call, 4)))]
  }

  private static func authenticate<H: HashFunction>(
    _ data: [UInt8], _ start: HMAC<H>, _ call: LuaCall
  ) throws -> [UInt8] {
    var hmac = start
    try inPieces(data, call) { hmac.update(data: $0) }
    return Array(hmac.finalize())
  }

  /// Feeds data in pieces, so that an exhausted budget stops the work between two pieces.
  private static func inPieces(
    _ data: [UInt8], _ call: LuaCall, _ feed: (ArraySlice<UInt8>) -> Void
  ) throws {
    for start in stride(from: 0, to: data.count, by: 65_536) {
      let end = min(start + 65_536, data.count)
      try call.charge((end - start) / 4 + 100)
      feed(data[start..<end])
    }
  }

  private static func rendered(
    _ bytes: [UInt8], _ call: LuaCall, _ index: Int
  ) throws -> String {
    switch try call.optionalString(index, "format") ?? "hex" {
    case "hex": return bytes.hexadecimal
    case "base64": return Base64.standard.text(bytes)
    case "base64url": return Base64.url.text(bytes)
    case let other:
      throw call.argumentError(index, "'hex', 'base64' or 'base64url' expected, got '\(other)'")
    }
  }
}
