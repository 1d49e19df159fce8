/// The account graph: accounts, the identities they own, and every operation on who owns what.
///
/// AuthCore is the one place where linking is decided. Start here, then read ``LinkRules`` (the rules),
/// ``MergePlan`` (merging) and ``AccountStore`` (what a store promises). AuthCore imports Foundation and
/// nothing else: no database, no network, no Lua, no cryptography.
///
/// Each operation goes the same way: verify the credential, load a snapshot, decide without side effects,
/// commit in one transaction with its audit event, and answer with a ``Receipt`` or throw an ``AuthError``.
public struct AccountGraph: Sendable {
  public let store: any AccountStore
  public let providers: ProviderRegistry
  let policies: any MergePolicyCompiler
  let clock: @Sendable () -> Timestamp
  let random: @Sendable () -> UInt64

  /// Makes a graph on a store.
  ///
  /// - Parameters:
  ///   - store: where everything is kept.
  ///   - providers: the ways to sign in.
  ///   - policies: what turns a stored merge policy into one that decides.
  ///   - clock: the time; given in tests.
  ///   - random: 64 random bits a call, for uids and event IDs; given in tests.
  public init(
    store: any AccountStore, providers: ProviderRegistry, policies: any MergePolicyCompiler,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) {
    self.store = store
    self.providers = providers
    self.policies = policies
    self.clock = clock
    self.random = random
  }

  /// A new uid: 28 letters and digits, as Firebase makes them.
  func newAccountID() -> AccountID {
    AccountID(randomText(28, alphabet: Self.base62))
  }

  /// A new event ID: its time first, so that IDs sort as they came, then random letters.
  func newEventID(at now: Timestamp) -> String {
    var time = UInt64(max(0, now.milliseconds))
    var letters: [UInt8] = []
    for _ in 0..<9 {
      letters.append(Self.base32[Int(time % 32)])
      time /= 32
    }
    return String(decoding: letters.reversed(), as: UTF8.self)
      + randomText(7, alphabet: Self.base32)
  }

  private func randomText(_ count: Int, alphabet: [UInt8]) -> String {
    var bits = WordSource(source: random)
    let letters = (0..<count).map { _ in
      alphabet[Int.random(in: alphabet.indices, using: &bits)]
    }
    return String(decoding: letters, as: UTF8.self)
  }

  private static let base62 = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  /// Crockford's alphabet, lowered: no i, l, o or u to be misread.
  private static let base32 = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}

private struct WordSource: RandomNumberGenerator {
  let source: @Sendable () -> UInt64
  mutating func next() -> UInt64 { source() }
}
