/// Makes and checks one-time codes.
///
/// A code ends with its lifetime, its use, or too many wrong guesses. It is stored sealed.
public struct OneTimeCodes: Sendable {
  let store: any AccountStore
  let secrets: any SecretSealing
  let scope: Scope
  let clock: @Sendable () -> Timestamp
  let random: @Sendable () -> UInt64
  let quirks: EmulatorQuirks
  let limits: CodeLimits
  /// The network of the request, under which attempts are counted; nil if unknown.
  let requester: String?
  /// The session whose used codes are accepted again; see ``LinkRetry``.
  var retry: LinkRetry?

  /// Makes the codes of a scope; a graph passes them to its providers.
  ///
  /// - Parameters:
  ///   - store: the store of the codes.
  ///   - secrets: the sealing of the codes.
  ///   - scope: the project or tenant.
  ///   - clock: the time; replaced in tests.
  ///   - random: 64 random bits a call; replaced in tests.
  ///   - quirks: the emulator's deviations.
  ///   - limits: the limits on codes and on guesses.
  ///   - requester: the network of the request, under which attempts are counted.
  public init(
    store: any AccountStore, secrets: any SecretSealing, scope: Scope,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) },
    quirks: EmulatorQuirks = .production, limits: CodeLimits = CodeLimits(),
    requester: String? = nil
  ) {
    self.requester = requester
    self.quirks = quirks
    self.limits = limits
    self.store = store
    self.secrets = secrets
    self.scope = scope
    self.clock = clock
    self.random = random
  }

  /// The number of guesses after which a code is void.
  public static let guesses = 5

  /// The characters of a code.
  public enum Alphabet: Sendable {
    /// Six digits, to be typed; the limit on guesses protects them.
    case digits
    /// 43 letters and digits, to be clicked; too many to guess.
    case letters
  }

  /// A new code.
  public struct Issued: Sendable {
    /// The ID of the code, which the client sends back with it.
    public let id: String
    /// The code to send.
    public let code: Secret<String>
    /// The time until which it works.
    public let expiresAt: Timestamp
  }

  /// A code that was checked and is right.
  public struct Checked: Sendable {
    /// The recipient or target of the code.
    public let subject: String
    /// The account that the code is bound to, if any.
    public let account: AccountID?
    /// The use to commit together with the code's effect.
    public let use: OneTimeUse
  }

  struct Content: Codable {
    var purpose: String
    var subject: String
    var code: String
    var madeAt: Timestamp?
  }

  /// Makes a code for a purpose and a subject, valid for `lifetime` seconds.
  ///
  /// A code works only for its purpose. A code for one account is removed when that account's sessions end. A fixed
  /// code is one that an admin chose, as for test numbers. Throws `too-many-requests` if the subject got too many codes
  /// in the last hour, for this requester or for all. A code that is not sent need not be counted.
  public func issue(
    _ purpose: String, for subject: String, account: AccountID? = nil,
    _ alphabet: Alphabet = .digits, fixed: Secret<String>? = nil, isCounted: Bool = true,
    lifetime: Int64
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
        guard isCounted else { return }
        // An account's own changes have a limit of their own, which requests without an account cannot use up.
        try Attempts(
          "issued:\(account?.rawValue ?? ""):\(subject)", from: requester,
          each: limits.codesOfNetwork, all: limits.codes
        ).count(writer, at: now, in: scope)
      }
      try writer.save(record, in: scope)
    }
    return Issued(id: id, code: Secret(code), expiresAt: expiresAt)
  }

  /// Checks a code, and counts the guess.
  ///
  /// Throws `invalid-verification-id` for an unknown code, `code-expired` if it is expired or used, `too-many-requests`
  /// after too many guesses of it or too many wrong ones for the same subject, or `invalid-verification-code`.
  public func check(_ purpose: String, id: String, code: String) async throws -> Checked {
    let now = clock()
    let checked = try await store.write { [self] writer -> Checked? in
      guard var record = try writer.oneTimeRecord(id, in: scope), record.kind == .code else {
        throw Self.unknown
      }
      let use = Self.use(of: record)
      let wasUsed = try writer.oneTimeRecord(use.recordID, in: scope) != nil
      guard try !wasUsed || isRetried(use, writer, at: now) else {
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
      let guesses = guesses(at: result)
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

  /// Compares a code with the fixed one of a checked code's subject, and counts a wrong guess.
  ///
  /// Throws `invalid-verification-code`, also if there is no right one, or `too-many-requests` after too many wrong ones
  /// for the same subject.
  public func compare(
    _ code: String, toFixed right: String?, of checked: Checked
  ) async throws {
    let now = clock()
    let isRight = right?.equalsInConstantTime(code) ?? false
    let guesses = guesses(at: checked)
    try await store.write { [scope, quirks] writer in
      try quirks.bounding {
        try guesses.require(writer, at: now, in: scope)
        if !isRight { try guesses.count(writer, at: now, in: scope) }
      }
    }
    guard isRight else { throw Self.wrong }
  }

  /// The count of wrong guesses at the codes of one subject, of many codes in turn.
  ///
  /// Codes that accounts requested, to link or enrol a number, count apart, so that an account's holder cannot lock out
  /// the number's owner.
  private func guesses(at checked: Checked) -> Attempts {
    Attempts(
      "guess:\(checked.account == nil ? "" : "bound:")\(checked.subject)", from: requester,
      each: limits.wrongCodesOfNetwork, all: limits.wrongCodes)
  }

  /// Tells whether the session that used a code presents it again.
  private func isRetried(
    _ use: OneTimeUse, _ reader: any AccountReader, at now: Timestamp
  ) throws -> Bool {
    guard let mark = retry?.mark(of: use, at: now) else { return false }
    return try reader.oneTimeRecord(mark.recordID, in: scope).map { $0.expiresAt > now } ?? false
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
    .tooManyRequests, "Too many wrong codes were entered.", field: "verificationCode",
    remedy: "Ask for a new code.", step: .credential)
  private static let wrong = AuthError(
    .invalidVerificationCode, "The code is wrong.", field: "verificationCode",
    remedy: "Check it, or ask for a new one.", step: .credential)
}

extension Timestamp {
  /// A time beyond every clock, for a record that ends with its use alone.
  static let never = Timestamp(milliseconds: 253_402_300_799_000)
}
