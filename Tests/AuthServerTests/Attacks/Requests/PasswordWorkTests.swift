import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import SQLiteStore
import Synchronization
import Testing

@testable import IdentityToolkitService

/// The work of refusing a password: hashes by cost, and transactions.
///
/// Timing reveals no more than this to an outsider.
@Suite struct `Attacks by the work of a refused password` {
  private static let cost = PasswordHasher.Cost(memoryKiB: 128, iterations: 2, parallelism: 1)

  /// Everything that an outsider can measure of one request.
  private struct Refusal: Hashable, CustomStringConvertible {
    let status: Int
    let text: String
    /// The computed hashes, summed by kind.
    let hashes: [String: Int]
    let store: FaultyStore.Work

    var description: String { "\(status) \(text) \(hashes) \(store)" }
  }

  /// A meter that sums up a hasher's work.
  private final class Meter: Sendable {
    private let sums = Mutex<[String: Int]>([:])

    func add(_ kind: String, _ amount: Int) { sums.withLock { $0[kind, default: 0] += amount } }

    func take() -> [String: Int] {
      sums.withLock { sums in
        defer { sums = [:] }
        return sums
      }
    }
  }

  /// A server whose hashes and transactions are counted.
  private struct Scene: Sendable {
    let home: ServerHome
    let store: FaultyStore
    let meter: Meter

    func refusal(_ email: String, _ password: String = "wrong-one") async throws -> Refusal {
      _ = (meter.take(), store.takeWork())
      let reply = try await home.enter(email, password)
      return Refusal(
        status: reply.status, text: reply.text, hashes: meter.take(), store: store.takeWork())
    }

    /// Makes an account with this text in place of a password's hash, or without a password.
    func keep(
      _ email: String, _ stored: String?, provider: ProviderID = .password
    ) async throws {
      let address = try EmailAddress(email)
      let now = home.clock.now
      var account = Account(id: AccountID(email), scope: home.scope, createdAt: now)
      account.email = address
      account.emailVerified = true
      let key: IdentityKey =
        provider == .password ? .password(address) : IdentityKey(provider, subject: email)
      account.identities = [
        Identity(
          key: key, origin: .imported, linkedAt: now,
          secret: stored.map { StoredSecret(encoded: $0, changedAt: now) })
      ]
      let made = account
      try await store.write { try $0.insert(made) }
    }
  }

  private func withScene(
    _ body: @escaping @Sendable (Scene) async throws -> Void
  ) async throws {
    let (store, meter) = (FaultyStore(try SQLiteStore.inMemory()), Meter())
    let hasher = PasswordHasher(cost: Self.cost) { meter.add($0, $1) }
    try await withServer(
      .production, store: store,
      configure: {
        $0.settings = { $0.rateLimits.requestsPerAddressAndMinute = 0 }
        $0.providers = { registry, _ in registry.adding([PasswordProvider(hasher: hasher)]) }
      }
    ) { home in
      // The settings of a project without any are looked up with each request.
      try await home.change { $0.signIn.hidesAccounts = true }
      try await home.touch()
      try await body(Scene(home: home, store: store, meter: meter))
    }
  }

  /// Makes an account for each state of a password: of the server's own kind, or without one.
  private static func openOwn(_ scene: Scene) async throws -> [String] {
    let home = scene.home
    _ = try await home.openAccount("own@example.com")
    try await scene.keep(
      "outdated@example.com",
      try await PasswordHasher(
        cost: PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1)
      ).hash("opensesame"))
    _ = try await home.openAccount("disabled@example.com")
    try await home.setDisabled("disabled@example.com")
    let guarded = try await home.openAccount("guarded@example.com")
    try await home.guardWithPhone(guarded.uid)
    try await scene.keep("vendor@example.com", nil, provider: .google)
    try await scene.keep("link@example.com", nil, provider: .emailLink)
    try await scene.keep("empty@example.com", nil)
    try await scene.keep("damaged@example.com", "no hash at all")
    try await scene.keep("gone@example.com", "$firebase$0123456789abcdef$AAAA$AAAAAAAA")
    return [
      "own", "outdated", "disabled", "guarded", "vendor", "link", "empty", "damaged", "gone",
    ].map { "\($0)@example.com" }
  }

  @Test func `S9 attack 43: a refused password takes the same work, with an account or without`()
    async throws
  {
    try await withScene { scene in
      let people = try await Self.openOwn(scene)
      var refusals: Set<Refusal> = []
      for email in people + ["nobody@example.com"] {
        for _ in 1...3 { refusals.insert(try await scene.refusal(email)) }
      }
      #expect(refusals.count == 1, "\(refusals)")
      #expect(refusals.first?.text.contains("INVALID_LOGIN_CREDENTIALS") == true)
      #expect(refusals.first?.hashes == ["own": 256])
    }
  }

  /// Uploads a hash that matches no password of the test; returns the account's address.
  private static func upload(
    _ scene: Scene, _ name: String, hash: Data, parameters: [String: JSONValue]
  ) async throws -> String {
    let email = "\(name)@example.com"
    let fault = try await scene.home.fault(
      of: [
        "localId": .string(name), "email": .string(email),
        "passwordHash": .string(hash.base64EncodedString()), "salt": "c2FsdHNhbHQ=",
      ], parameters)
    #expect(fault == nil, "\(name)")
    return email
  }

  private static func bcrypt(_ cost: String) -> Data {
    Data("$2b$\(cost)$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2".utf8)
  }

  /// Hashes of other systems, some in several costs.
  private static let imports: [(name: String, hash: Data, parameters: [String: JSONValue])] = {
    func bytes(_ count: Int) -> Data { Data(repeating: 7, count: count) }
    let key: JSONValue = "a2V5"
    return [
      ("md5", bytes(16), ["hashAlgorithm": "MD5", "rounds": 0]),
      (
        "md5-ordered", bytes(16),
        [
          "hashAlgorithm": "MD5", "rounds": 0, "passwordHashOrder": "SALT_AND_PASSWORD",
        ]
      ),
      ("sha256", bytes(32), ["hashAlgorithm": "SHA256", "rounds": 8192]),
      ("sha512", bytes(64), ["hashAlgorithm": "SHA512", "rounds": 1]),
      ("hmac", bytes(32), ["hashAlgorithm": "HMAC_SHA256", "signerKey": key]),
      (
        "firebase", bytes(3),
        [
          "hashAlgorithm": "SCRYPT", "signerKey": key, "rounds": 8, "memoryCost": 10,
        ]
      ),
      (
        "scrypt", bytes(64),
        [
          "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 256, "blockSize": 8,
          "parallelization": 2, "dkLen": 64,
        ]
      ),
      (
        "argon2", bytes(16),
        [
          "hashAlgorithm": "ARGON2",
          "argon2Parameters": [
            "hashType": "ARGON2_ID", "hashLengthBytes": 16, "iterations": 1, "parallelism": 1,
            "memoryCostKib": 64,
          ],
        ]
      ),
      ("pbkdf2-short", bytes(20), ["hashAlgorithm": "PBKDF2_SHA256", "rounds": 100]),
      ("pbkdf2-long", bytes(64), ["hashAlgorithm": "PBKDF2_SHA256", "rounds": 100]),
      ("pbkdf", bytes(20), ["hashAlgorithm": "PBKDF_SHA1", "rounds": 100]),
      ("bcrypt-low", bcrypt("04"), ["hashAlgorithm": "BCRYPT"]),
      ("bcrypt-high", bcrypt("07"), ["hashAlgorithm": "BCRYPT"]),
      ("bcrypt-middle", bcrypt("05"), ["hashAlgorithm": "BCRYPT"]),
    ]
  }()

  @Test func `S9 attack 43: an imported hash answers no sooner and no later than no hash`()
    async throws
  {
    try await withScene { scene in
      var people = try await Self.openOwn(scene)
      for (name, hash, parameters) in Self.imports {
        people.append(try await Self.upload(scene, name, hash: hash, parameters: parameters))
      }
      var refusals: [Refusal: Set<String>] = [:]
      for email in people + ["nobody@example.com"] {
        for _ in 1...2 { refusals[try await scene.refusal(email), default: []].insert(email) }
      }
      #expect(refusals.count == 1, "\(refusals)")
      let hashes = try #require(refusals.keys.first).hashes
      #expect(hashes["own"] == 256)
      #expect(hashes["BCRYPT"] == 128 && hashes["PBKDF2_SHA256"] == 200)
      #expect(hashes["SHA256"] == 16384 && hashes["scrypt r=8 p=1"] == 1024)
    }
  }

  @Test func `S9 attack 43: each import alone is hidden too, also one after which a dearer came`()
    async throws
  {
    for (name, hash, parameters) in Self.imports {
      try await withScene { scene in
        let email = try await Self.upload(scene, name, hash: hash, parameters: parameters)
        _ = try await scene.home.openAccount("own@example.com")
        let unknown = try await scene.refusal("nobody@example.com")
        #expect(try await scene.refusal(email) == unknown, "\(name)")
        #expect(try await scene.refusal("own@example.com") == unknown, "\(name)")
      }
    }
  }

  @Test func `S9 attack 43: a password that is too long, or asked too often, is refused alike`()
    async throws
  {
    try await withScene { scene in
      var people = try await Self.openOwn(scene)
      people.append(
        try await Self.upload(
          scene, "md5", hash: Self.imports[0].hash, parameters: Self.imports[0].parameters))
      people.append("nobody@example.com")
      let long = String(repeating: "x", count: 4097)
      var refusals: Set<Refusal> = []
      for email in people { refusals.insert(try await scene.refusal(email, long)) }
      #expect(refusals.count == 1, "\(refusals)")
      refusals = []
      for email in people {
        for _ in 1...40 { _ = try await scene.home.enter(email, long) }
        refusals.insert(try await scene.refusal(email))
      }
      #expect(refusals.count == 1, "\(refusals)")
      #expect(refusals.first?.text.contains("TOO_MANY_ATTEMPTS_TRY_LATER") == true)
      #expect(refusals.first?.hashes == [:])
    }
  }
}

extension ServerHome {
  fileprivate func setDisabled(_ email: String) async throws {
    var filter = AccountFilter()
    filter.email = try EmailAddress(email)
    let account = try #require(
      try await graph.accounts(matching: filter, limit: 1, in: scope).first)
    try await adminUpdate(account.id.rawValue, ["disableUser": true])
  }
}
