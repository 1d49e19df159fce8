public import AuthCore
import Crypto

/// The file of a service account in the form of Google's, which Firebase's Admin SDKs read.
///
/// It contains the private key, and is shown once.
public struct ServiceAccountFile: Sendable {
  /// The name of the account.
  public let name: String
  /// The address of the account.
  public let email: String
  /// The ID of the file's key.
  public let keyID: String
  /// The file's JSON.
  public let content: Secret<JSONValue>

  /// The path of the token endpoint below a server's address.
  public static let tokenPath = "/token"

  /// Returns the file's text, over several lines.
  public var text: Secret<String> {
    let bytes = JSONWriter.bytes(of: content.reveal(), spread: true)
    return Secret(String(decoding: bytes, as: UTF8.self) + "\n")
  }

  /// Makes the file of a new key for an account.
  ///
  /// `server` is the address at which clients reach the server, without a trailing slash.
  init(_ key: NewKey, name: String, email: String, project: String, server: String) {
    self.name = name
    self.email = email
    keyID = key.public.id
    let account = Int64.random(in: 100_000_000_000_000_000...999_999_999_999_999_999)
    content = Secret([
      "type": "service_account", "project_id": .string(project),
      "private_key_id": .string(key.public.id), "private_key": .string(key.privatePEM),
      "client_email": .string(email), "client_id": .string(String(account)),
      "auth_uri": .string("\(server)/o/oauth2/auth"),
      "token_uri": .string(server + Self.tokenPath),
      "auth_provider_x509_cert_url":
        .string("\(server)/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"),
      // The SDKs compare it with their own, and it is not an address.
      "universe_domain": "googleapis.com",
    ])
  }

  /// A new pair of keys.
  struct NewKey: Sendable {
    let `public`: ServiceAccount.Key
    let privatePEM: String

    /// Makes an RSA key of 2,048 bits, the kind that the SDKs sign with.
    init(at now: Timestamp) throws {
      let id = RandomBytes.make(20).map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0\(digits)" : digits
      }.joined()
      let key = try SigningKey.rsa(keyID: "")
      `public` = ServiceAccount.Key(id: id, createdAt: now, expiresAt: nil, jwk: key.jwk.text)
      privatePEM = key.privateKeyPEM
    }
  }
}
