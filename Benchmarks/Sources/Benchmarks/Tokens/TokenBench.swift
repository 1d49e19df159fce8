import ArgumentParser
import AuthCore
import AuthTesting
import BuiltInProviders
import Crypto
import CryptoExtras
import Foundation
import MeasuredWork
import SessionTokens

/// Compares tokens and passwords with the cryptography that they need.
struct TokensCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tokens", abstract: "Tokens and passwords, beside their cryptography alone.")

  @Option(help: "Rounds that count, of each side in turns.") var rounds = 5
  @Option(help: "A file for the results as JSON.") var json: String?

  func run() async throws {
    let pairs = try await TokenBench.pairs() + PasswordBench.pairs()
    try await pairs.compare(rounds: rounds, json: json)
  }
}

/// Makes and checks ID tokens of some 600 bytes.
enum TokenBench {
  private static let project = "bench"

  static func pairs() async throws -> [Pair] {
    let (rsa, p256) = (try _RSA.Signing.PrivateKey(keySize: .bits2048), P256.Signing.PrivateKey())
    return try await both(
      .rs256, goals: (0.9, 0.4), times: (200, 2000),
      sign: { _ = try rsa.signature(for: $0, padding: .insecurePKCS1v1_5) },
      check: { digest in
        let signature = try rsa.signature(for: digest, padding: .insecurePKCS1v1_5)
        let key = rsa.publicKey
        return { key.isValidSignature(signature, for: $0, padding: .insecurePKCS1v1_5) }
      })
      + both(
        .es256, goals: (0.55, 0.65), times: (2000, 2000),
        sign: { _ = try p256.signature(for: $0) },
        check: { digest in
          let signature = try p256.signature(for: digest)
          let key = p256.publicKey
          return { key.isValidSignature(signature, for: $0) }
        })
  }

  private static func both(
    _ algorithm: SigningAlgorithm, goals: (mint: Double, verify: Double),
    times: (mint: Int, verify: Int), sign: @escaping @Sendable (SHA256Digest) throws -> Void,
    check: (SHA256Digest) throws -> @Sendable (SHA256Digest) -> Bool
  ) async throws -> [Pair] {
    let service = TokenService(
      style: .signed(algorithm), store: MemoryStore(), secrets: EphemeralSealing())
    let claims = claims
    let token = try await service.sign(claims, project: project)
    let bytes = Array(token.utf8)
    let isValid = try check(SHA256.hash(data: bytes))
    let limitName = "swift-crypto alone"
    return [
      Pair(
        subject: algorithm.rawValue, operation: "mint", limitName: limitName, goal: goals.mint,
        times: times.mint, ours: { _ in _ = try await service.sign(claims, project: project) },
        limit: { _ in try sign(SHA256.hash(data: bytes)) }),
      Pair(
        subject: algorithm.rawValue, operation: "verify", limitName: limitName,
        goal: goals.verify, times: times.verify,
        ours: { _ in _ = try await service.verify(idToken: token, project: project) },
        limit: { _ in
          guard isValid(SHA256.hash(data: bytes)) else { throw CocoaError(.coderInvalidValue) }
        }),
    ]
  }

  private static var claims: JSONValue {
    let person = Person(7)
    let now = Timestamp.now().milliseconds / 1000
    let uid = JSONValue.string(person.id.rawValue)
    return [
      "name": .string(person.name), "picture": .string(person.photo),
      "email": .string(person.email),
      "email_verified": true, "auth_time": .integer(now),
      "iss": .string("https://securetoken.google.com/\(project)"), "aud": .string(project),
      "sub": uid, "user_id": uid, "iat": .integer(now), "exp": .integer(now + 3600),
      "firebase": [
        "identities": [
          "google.com": [.string(person.google)], "facebook.com": [.string(person.facebook)],
          "email": [.string(person.email)],
        ],
        "sign_in_provider": "google.com",
      ],
    ]
  }
}
