import AuthCore
import Crypto
import Foundation
import Testing

@testable import IdentityToolkitService

/// Digests and HMACs of passwords sign in with the order of salt and password that their upload names.
@Suite struct `Uploaded hashes in every order of salt and password` {
  typealias Hash = @Sendable ([UInt8]) -> [UInt8]

  /// An algorithm, computed by swift-crypto and not by the code under test.
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    var key: String?
    /// True if Firebase puts the salt first by default.
    let isSaltFirst: Bool
    let once: Hash

    var testDescription: String { name }
    var rounds: [Int?] { key != nil ? [nil] : name == "MD5" ? [0, 1, 3, 8192] : [1, 3, 8192] }

    func hash(_ message: String, _ rounds: Int?) -> [UInt8] {
      (0..<max(1, rounds ?? 1)).reduce(Array(message.utf8)) { value, _ in once(value) }
    }

    func parameters(_ rounds: Int?, _ order: String?) -> [String: JSONValue] {
      var parameters: [String: JSONValue] = ["hashAlgorithm": .string(name)]
      if let rounds { parameters["rounds"] = .integer(Int64(rounds)) }
      if let key { parameters["signerKey"] = .string(Data(key.utf8).base64EncodedString()) }
      parameters["passwordHashOrder"] = order.map(JSONValue.string)
      return parameters
    }
  }

  private static func digest<F: HashFunction>(_ name: String, _ function: F.Type) -> Kind {
    Kind(name: name, isSaltFirst: true) { Array(F.hash(data: $0)) }
  }

  private static func hmac<F: HashFunction>(_ name: String, _ function: F.Type) -> Kind {
    let key = "the key of a project"
    return Kind(name: name, key: key, isSaltFirst: false) { message in
      Array(
        HMAC<F>.authenticationCode(for: message, using: SymmetricKey(data: Data(key.utf8))))
    }
  }

  static let kinds = [
    digest("SHA1", Insecure.SHA1.self), digest("SHA256", SHA256.self),
    digest("SHA512", SHA512.self), digest("MD5", Insecure.MD5.self),
    hmac("HMAC_SHA1", Insecure.SHA1.self), hmac("HMAC_SHA256", SHA256.self),
    hmac("HMAC_SHA512", SHA512.self), hmac("HMAC_MD5", Insecure.MD5.self),
  ]

  private static let password = "correct horse"
  private static let salt = "NaCl"

  /// The order in an upload, and the orders of a hash with which sign-in works.
  private static let orders: [(said: String?, takes: Set<Bool>)] = [
    (nil, [true, false]), ("UNSPECIFIED_ORDER", [true, false]), ("SALT_AND_PASSWORD", [true]),
    ("PASSWORD_AND_SALT", [false]),
  ]

  @Test(arguments: kinds)
  func `a hash in the order that was named, or in Firebase's, signs in`(
    _ kind: Kind
  ) async throws {
    try await withServer(.production, configure: { $0.settings = { $0.rateLimits = .none } }) {
      home in
      var number = 0
      for rounds in kind.rounds {
        for (said, takes) in Self.orders {
          for isSaltFirst in [true, false] {
            number += 1
            let (uid, email) = ("u\(number)", "u\(number)@example.com")
            let message =
              isSaltFirst ? Self.salt + Self.password : Self.password + Self.salt
            let fault = try await home.fault(
              of: [
                "localId": .string(uid), "email": .string(email),
                "salt": .string(Data(Self.salt.utf8).base64EncodedString()),
                "passwordHash": .string(
                  Data(kind.hash(message, rounds)).base64EncodedString()),
              ], kind.parameters(rounds, said))
            #expect(fault == nil)
            let reply = try await home.enter(email, Self.password)
            let place: Comment = "\(kind.name) \(said ?? "-") \(rounds ?? -1) \(isSaltFirst)"
            #expect((reply.status == 200) == takes.contains(isSaltFirst), place)
            let stored = try await home.stored(uid).identity(
              .password(try EmailAddress(email)))?.secret?.encoded
            #expect(
              stored?.hasPrefix(reply.status == 200 ? "$argon2id$" : "$firebase$") == true, place)
            guard reply.status == 200 else { continue }
            // The server's own hash is also right, and matches no other password.
            #expect(try await home.enter(email, Self.password).status == 200)
            #expect(try await home.enter(email, Self.password + "r").status == 400)
          }
        }
      }
    }
  }

  @Test(arguments: kinds)
  func `a digest is read as base64, as hex, and as hex in base64`(_ kind: Kind) async throws {
    try await withServer(.production) { home in
      let message = kind.isSaltFirst ? Self.salt + Self.password : Self.password + Self.salt
      let digest = kind.hash(message, kind.rounds.first ?? nil)
      let hex = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let forms = [
        Data(digest).base64EncodedString(), hex, hex.uppercased(),
        Data(hex.utf8).base64EncodedString(),
        Data(hex.utf8).base64EncodedString().replacing("=", with: ""),
      ]
      for (number, form) in forms.enumerated() {
        let email = "u\(number)@example.com"
        let fault = try await home.fault(
          of: [
            "localId": .string("u\(number)"), "email": .string(email),
            "salt": .string(Data(Self.salt.utf8).base64EncodedString()),
            "passwordHash": .string(form),
          ], kind.parameters(kind.rounds.first ?? nil, nil))
        #expect(fault == nil, "\(form)")
        #expect(try await home.enter(email, Self.password).status == 200, "\(form)")
      }
      let fault = try await home.fault(
        of: [
          "localId": "odd", "email": "odd@example.com", "passwordHash": .string(hex + "abcd"),
        ], kind.parameters(kind.rounds.first ?? nil, nil))
      #expect(fault?.hasPrefix("Password hash is invalid: A hash of ") == true)
    }
  }

  /// The values are those that firebase-admin-node's integration tests upload to real projects.
  @Test func `MD5 in the form of Firebase's own tests signs in`() async throws {
    try await withServer(.production) { home in
      let parameters: [String: JSONValue] = ["hashAlgorithm": "MD5", "rounds": 0]
      let users: [JSONValue] = [
        [
          "localId": "m1", "email": "m1@example.com",
          "passwordHash": "NzJkNGE1YTViNjA1YzUzYWUxYWM0NzhkOWE0OTc3ZDc=",
        ],
        [
          "localId": "m2", "email": "m2@example.com", "salt": "TmFDbA==",
          "passwordHash": "Yzg1MmNiYjlmNDUwZWYwYWMxMWUwNDg5Mzk0NWQ5YmY=",
        ],
      ]
      let reply = try await home.upload(users, parameters)
      #expect(reply.json["error"] == nil, "\(reply.text)")
      #expect(try await home.enter("m1@example.com", "tester5").status == 200)
      #expect(try await home.enter("m2@example.com", "secret12").status == 200)
    }
  }

  @Test func `an order that is none is refused`() async throws {
    try await withServer(.production) { home in
      let reply = try await home.upload(
        [["localId": "a"]], Self.kinds[0].parameters(1, "SALT_LAST"))
      #expect(reply.message?.hasPrefix("INVALID_HASH_PARAMETERS : hash-input-order") == true)
    }
  }
}
