import AuthCore
import Crypto
import CryptoExtras
import Foundation

/// Checks signatures with a vendor's published keys, and with no other data of it.
struct PublicKeys {
  let members: [JSONValue]

  init(_ keySet: JSONValue) {
    guard case .array(let members) = keySet["keys"] else {
      self.members = []
      return
    }
    self.members = members
  }

  var keyIDs: [String] { members.compactMap { $0["kid"]?.stringValue } }

  /// Tells whether the first key with the token's key ID made the signature.
  func verify(_ token: String) throws -> Bool {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let header = try JSONValue(text: String(decoding: bytes(parts[0]), as: UTF8.self))
    guard let key = members.first(where: { $0["kid"] == header["kid"] }),
      key["alg"] == header["alg"]
    else { return false }
    let signed = Data("\(parts[0]).\(parts[1])".utf8)
    let signature = bytes(parts[2])
    guard !signature.isEmpty else { return false }
    if key["kty"] == "RSA" {
      let key = try _RSA.Signing.PublicKey(
        n: bytes(key["n"]), e: bytes(key["e"]))
      return key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: signed),
        padding: .insecurePKCS1v1_5)
    }
    let point = [4] + bytes(key["x"]) + bytes(key["y"])
    return try P256.Signing.PublicKey(x963Representation: point).isValidSignature(
      P256.Signing.ECDSASignature(rawRepresentation: signature), for: signed)
  }

  private func bytes(_ member: JSONValue?) -> Data { bytes(member?.stringValue ?? "") }

  private func bytes(_ base64URL: String) -> Data { Data(base64URL: base64URL) }
}

extension Data {
  /// The bytes of base64url without padding; empty for any other text.
  fileprivate init(base64URL text: String) {
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
    self = Data(base64Encoded: plain + padding) ?? Data()
  }
}

/// The claims of a token, unchecked.
func claims(of token: String?) throws -> JSONValue {
  let parts = (token ?? "").split(separator: ".")
  let payload = Data(base64URL: parts.count > 1 ? String(parts[1]) : "")
  return try JSONValue(text: String(decoding: payload, as: UTF8.self))
}

/// A verifier of PKCE and its challenge.
enum Proof {
  static let verifier = String(repeating: "verifier", count: 8)
  static let challenge = Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString()
    .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}
