/// Makes codes that prove something once, and checks them.
///
/// A code ends with its time, with its use, or after too many wrong guesses; it is kept sealed.
public struct OneTimeCodes: Sendable {
  let store: any AccountStore
  let secrets: any SecretSealing
  let scope: Scope
  let clock: @Sendable () -> Timestamp
  let random: @Sendable () -> UInt64
  let quirks: EmulatorQuirks
  /// The network that asks, as attempts are counted; nil where it is not known.
  let requester: String?

  /// Makes and checks codes in a scope; a graph hands this to its providers.
  ///
  /// - Parameters:
  ///   - store: where codes are kept.
  ///   - secrets: what seals them.
  ///   - scope: whose they are.
  ///   - clock: the time; given in tests.
  ///   - random: 64 random bits a call; given in tests.
  ///   - quirks: what is done otherwise for the sake of tests.
  ///   - requester: the network that asks, as attempts are counted.
  public init(
    store: any AccountStore, secrets: any SecretSealing, scope: Scope,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) },
    quirks: EmulatorQuirks = .production, requester: String? = nil
  ) {
    self.requester = requester
    self.quirks = quirks
    self.store = store
    self.secrets = secrets
    self.scope = scope
    self.clock = clock
    self.random = random
  }

  /// How many guesses a code takes before it is of no use.
  public static let guesses = 5
  /// How many codes one network may have sent to one recipient in an hour.
  public static let codesAnHour = 10
  /// How many codes one recipient gets in an hour, whoever asks.
  public static let codesOfAllAnHour = 30
  /// How many wrong guesses one recipient's codes take in an hour from one network.
  public static let wrongGuessesAnHour = 20
  /// How many wrong guesses one recipient's codes take in an hour, whoever guesses.
  public static let wrongGuessesOfAllAnHour = 60

  /// What a code is made of.
  public enum Alphabet: Sendable {
    /// Six digits, to be typed; kept from being guessed by the number of guesses.
    case digits
    /// 43 letters and digits, to be clicked; too many to guess.
    case letters
  }

  /// A code that was made.
  public struct Issued: Sendable {
    /// Names the code, to be given back with it.
    public let id: String
    public let code: Secret<String>
    public let expiresAt: Timestamp
  }

  /// A code that was right.
  public struct Checked: Sendable {
    /// Whom or what the code was made for.
    public let subject: String
    /// The account that the code was made for, where it was made for one alone.
    public let account: AccountID?
    /// To be committed with what the code brings about.
    public let use: OneTimeUse
  }

  struct Content: Codable {
    var purpose: String
    var subject: String
    var code: String
    var madeAt: Timestamp?
  }

  /// Makes a code for a purpose and a subject.
  ///
  /// It is right for the same purpose only, and lasts for `lifetime` seconds. A code for one account goes
  /// when that account's sessions are ended. A fixed code is one that an admin chose, as for test numbers.
  /// Throws `too-many-requests` where the subject got too many in the last hour, from this requester or from all
  /// together.
  public func issue(
    _ purpose: String, for subject: String, account: AccountID? = nil,
    _ alphabet: Alphabet = .digits, fixed: Secret<String>? = nil, lifetime: Int64
  ) async throws -> Issued {
    let now = clock()
    let code = fixed?.reveal() ?? newCode(alphabet)
    let id = RandomText.handle(random)
    let expiresAt = quirks.end(now.adding(seconds: lifetime))
    let json = try JSONText.encode(
      Content(purpose: purpose, subject: subject, code: code, madeAt: now))
    let record = OneTimeRecord(
      id: id, kind: .code, account: account, expiresAt: expiresAt,
      content: try secrets.seal(json, for: "code \(id)"))
    try await store.write { [scope, quirks] writer in
      try quirks.bounding {
        // Who asks without an account cannot use up what the account's own changes need.
        try Attempts(
          "issued:\(account?.rawValue ?? ""):\(subject)", from: requester,
          each: Self.codesAnHour, all: Self.codesOfAllAnHour
        ).count(writer, at: now, in: scope)
      }
      try writer.save(record, in: scope)
    }
    return Issued(id: id, code: Secret(code), expiresAt: expiresAt)
  }

  /// Checks a code, and counts the guess.
  ///
  /// Throws `invalid-verification-id` for a code that nobody made, `code-expired` where its time is over or
  /// it was used, `too-many-requests` after too many guesses of it or too many wrong ones of others for the same
  /// subject, or `invalid-verification-code`.
  public func check(_ purpose: String, id: String, code: String) async throws -> Checked {
    let now = clock()
    let checked = try await store.write { [self] writer -> Checked? in
      guard var record = try writer.oneTimeRecord(id, in: scope), record.kind == .code else {
        throw Self.unknown
      }
      let wasUsed = try writer.oneTimeRecord(Self.use(of: record).recordID, in: scope) != nil
      guard !wasUsed else {
        throw quirks.used(
          Self.expired.failing("The code was used before."), unknown: Self.unknown)
      }
      try quirks.bounding {
        guard record.expiresAt > now else { throw Self.expired.failing("The code has expired.") }
        guard record.attempts < Self.guesses else { throw Self.tooManyGuesses }
      }
      let content = try JSONText.decode(
        Content.self, try secrets.open(record.content, for: "code \(id)"))
      guard content.purpose == purpose else { throw Self.unknown }
      let result = Checked(
        subject: content.subject, account: record.account, use: Self.use(of: record))
      // Many codes for one recipient may not be guessed one after the other either. Codes that accounts asked for, to
      // link or enrol a number, are counted apart: whoever has an account cannot keep the number's owner out.
      let guesses = Attempts(
        "guess:\(record.account == nil ? "" : "bound:")\(content.subject)", from: requester,
        each: Self.wrongGuessesAnHour, all: Self.wrongGuessesOfAllAnHour)
      let isRight = content.code.equalsInConstantTime(code)
      try quirks.bounding {
        try guesses.require(writer, at: now, in: scope)
        record.attempts += 1
        try writer.save(record, in: scope)
        if !isRight { try guesses.count(writer, at: now, in: scope) }
      }
      return isRight ? result : nil
    }
    guard let checked else { throw Self.wrong }
    return checked
  }

  static func use(of record: OneTimeRecord) -> OneTimeUse {
    OneTimeUse("code:\(record.id)", expiresAt: record.expiresAt)
  }

  private func newCode(_ alphabet: Alphabet) -> String {
    switch alphabet {
    case .digits: RandomText.digits(6, random)
    case .letters: RandomText.handle(random)
    }
  }

  private static let unknown = AuthError(
    .invalidVerificationID, "There is no such code.", field: "verificationID",
    remedy: "Ask for a new code.", step: .credential)
  private static let expired = AuthError(
    .codeExpired, "The code has expired or was used.", field: "verificationCode",
    remedy: "Ask for a new code.", step: .credential)
  private static let tooManyGuesses = AuthError(
    .tooManyRequests, "The code was guessed wrong too often.", field: "verificationCode",
    remedy: "Ask for a new code.", step: .credential)
  private static let wrong = AuthError(
    .invalidVerificationCode, "The code is wrong.", field: "verificationCode",
    remedy: "Check it, or ask for a new one.", step: .credential)
}

extension Timestamp {
  /// Further than any clock goes; of what ends with its use alone.
  static let never = Timestamp(milliseconds: 253_402_300_799_000)
}
