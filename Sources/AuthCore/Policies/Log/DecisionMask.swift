/// Replaces what identifies a person in one decision, so that a policy decides the same as far as possible.
///
/// Equal values get equal tokens, and different ones different tokens. Kept are: the domain of an address, and whether
/// two local parts differ in case, dots or the tag behind a plus sign alone; the host of a picture; the first two
/// digits of a number; issuers; flags and times; flags, numbers and words of custom claims. Secrets, and what no policy
/// sees, are left out.
public struct DecisionMask {
  /// The uids of the two accounts, in the order of the true ones.
  private let uids: [AccountID: AccountID]
  private var numbers = [[String: Int]](repeating: [:], count: Kind.allCases.count)
  private var made = [[String: String]](repeating: [:], count: Kind.allCases.count)
  private var addresses: [String: EmailAddress] = [:]
  /// The tokens by the texts that they replace.
  private var tokens: [String: String] = [:]
  /// The words of claims that stay as they are.
  private var words: Set<String> = []

  /// The kinds of texts, each of which has tokens of its own.
  enum Kind: Int, CaseIterable {
    case mailbox, dots, tag, account, factor, name, phone, picture, subject, text
  }

  /// The uid of the account that wanted to link.
  public static let current = AccountID("current")
  /// The uid of the account in conflict.
  public static let existing = AccountID("existing")
  /// The uid of the account that wanted to link if its own uid comes after the other's; policies may compare uids.
  static let laterCurrent = AccountID("~current")

  /// A value that a policy computed, and that is not kept.
  public static let hidden: JSONValue = ["masked": true]

  /// The token of every address in a text that is not one of the conflict's.
  public static let someone = "someone@…"

  init(of conflict: MergeConflict) {
    let isInOrder = conflict.current.id < conflict.existing.id
    var uids = [conflict.current.id: isInOrder ? Self.current : Self.laterCurrent]
    uids[conflict.existing.id] = Self.existing
    self.uids = uids
    for (uid, token) in uids { tokens[uid.rawValue] = token.rawValue }
  }

  /// Masks a conflict.
  mutating func masked(_ conflict: MergeConflict) -> MergeConflict {
    var masked = conflict
    masked.current = account(conflict.current)
    masked.existing = account(conflict.existing)
    masked.credential = credential(conflict.credential, of: conflict.provider)
    // Claims may repeat names and addresses of either account.
    masked.credential.claims = data(conflict.credential.claims)
    masked.current.customClaims = claims(conflict.current.customClaims)
    masked.existing.customClaims = claims(conflict.existing.customClaims)
    masked.history.current = conflict.history.current.map { absorbed($0) }
    masked.history.existing = conflict.history.existing.map { absorbed($0) }
    return masked
  }

  /// Masks an answer about the conflict, after the conflict itself.
  func masked(_ ruling: PolicyJudgement.Ruling) -> PolicyJudgement.Ruling {
    switch ruling {
    case .failure(let message): return .failure(text(message))
    case .answer(.refuse(let refusal)):
      return .answer(
        .refuse(MergeRefusal(text(refusal.reason), code: refusal.code, place: refusal.place)))
    case .answer(.review(let reason)): return .answer(.review(text(reason)))
    case .answer(.require): return ruling
    case .answer(.merge(let into, let from, var rules)):
      guard let into = uids[into], let from = uids[from] else {
        return .failure("It named an account that is not part of the conflict.")
      }
      rules.fields = rules.fields.mapValues { rule in
        if case .value(let value) = rule { .value(computed(value) ?? Self.hidden) } else { rule }
      }
      var copy = self
      rules.droppedIdentities = rules.droppedIdentities.map { copy.key($0) }
      return .answer(.merge(into: into, from: from, rules))
    }
  }

  /// Masks the uid of an account; those of other accounts get tokens.
  mutating func uid(_ id: AccountID) -> AccountID {
    uids[id] ?? AccountID(token(.account, id.rawValue) { "account-\($0)" } ?? "")
  }

  private mutating func absorbed(_ account: AbsorbedAccount) -> AbsorbedAccount {
    AbsorbedAccount(uid(account.uid), at: account.at)
  }

  /// Returns the number of a text among those of its kind, from 1.
  private mutating func number(_ kind: Kind, _ text: String) -> Int {
    if let number = numbers[kind.rawValue][text] { return number }
    let number = numbers[kind.rawValue].count + 1
    numbers[kind.rawValue][text] = number
    return number
  }

  /// Returns the token of a text, which is made from the number of the text among those of its kind.
  mutating func token(_ kind: Kind, _ text: String?, _ make: (Int) -> String) -> String? {
    guard let text, !text.isEmpty else { return text }
    if let token = made[kind.rawValue][text] { return token }
    let token = make(made[kind.rawValue].count + 1)
    made[kind.rawValue][text] = token
    remember(text, token)
    return token
  }

  private mutating func remember(_ text: String, _ token: String) {
    if tokens[text] == nil { tokens[text] = token }
  }

  /// Masks an address: `m1@example.com`, with a capital if it was written otherwise than in canonical form.
  mutating func email(_ address: EmailAddress) -> EmailAddress? {
    if let known = addresses[address.text] { return known }
    let canonical = address.canonical
    guard let at = canonical.utf8.lastIndex(of: UInt8(ascii: "@")) else { return nil }
    var (base, marks) = (String(canonical[..<at]), "")
    if let plus = base.utf8.firstIndex(of: UInt8(ascii: "+")) {
      marks = "+\(number(.tag, String(base[plus...])))"
      base = String(base[..<plus])
    }
    var dots = 0
    if base.utf8.contains(UInt8(ascii: ".")) {
      dots = number(.dots, base)
      base.unicodeScalars.removeAll { $0 == "." }
    }
    let letter = address.text == canonical ? "m" : "M"
    let name = letter + String(repeating: ".", count: dots) + "\(number(.mailbox, base))\(marks)"
    let masked = try? EmailAddress(name + canonical[at...])
    addresses[address.text] = masked
    remember(address.text, masked?.text ?? name)
    remember(canonical, masked?.canonical ?? name)
    return masked
  }

  /// Masks a text that may be an address; nil if it is none.
  mutating func email(_ text: String) -> EmailAddress? {
    addresses[text] ?? (try? EmailAddress(text)).flatMap { email($0) }
  }

  /// Masks a number: its first two digits, and a token.
  mutating func phone(_ number: PhoneNumber) -> PhoneNumber? {
    token(.phone, number.text) { token in
      let digits = "\(token)"
      return number.text.prefix(3) + String(repeating: "0", count: max(0, 7 - digits.count))
        + digits
    }.flatMap { try? PhoneNumber($0) }
  }

  /// Masks data such as claims: flags, numbers and words stay, and other texts get tokens.
  ///
  /// A word has at most 32 characters, no space, no `@`, and at most six digits.
  mutating func data(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool, .integer, .number: return value
    case .string(let text): return .string(word(text))
    case .array(let entries): return .array(entries.map { data($0) })
    case .object(let members):
      var masked: [String: JSONValue] = [:]
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        masked[word(name)] = data(value)
      }
      return .object(masked)
    }
  }

  private mutating func word(_ text: String) -> String {
    if let token = tokens[text] { return token }
    let isWord =
      text.count <= 32 && !text.contains { $0 == "@" || $0.isWhitespace }
      && text.count { $0.isNumber } <= 6
    guard !isWord else {
      words.insert(text)
      return text
    }
    return token(.text, text) { "text-\($0)" } ?? text
  }

  /// Masks a value that a policy computed from the conflict; nil if it has a text that the conflict has not.
  private func computed(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .null, .bool, .integer, .number: return value
    case .string(let text):
      return (tokens[text] ?? (text.isEmpty || words.contains(text) ? text : nil))
        .map(JSONValue.string)
    case .array(let entries):
      let masked = entries.compactMap { computed($0) }
      return masked.count == entries.count ? .array(masked) : nil
    case .object(let members):
      var masked: [String: JSONValue] = [:]
      for (name, value) in members {
        guard let name = tokens[name] ?? (words.contains(name) ? name : nil),
          let value = computed(value)
        else { return nil }
        masked[name] = value
      }
      return .object(masked)
    }
  }

  /// Masks a text for people: known texts of three bytes and more get their tokens, and other addresses a common one.
  private func text(_ text: String) -> String {
    let known = tokens.filter { $0.key.utf8.count > 2 }
      .map { (text: Array($0.key.utf8), token: $0.value) }
      .sorted { $0.text.count > $1.text.count }
    let bytes = Array(text.utf8)
    // Parts between tokens; a token is not searched again.
    var (parts, rest, place): ([(text: String, isToken: Bool)], [UInt8], Int) = ([], [], 0)
    while place < bytes.count {
      let found = known.first {
        bytes[place] == $0.text[0] && bytes[place...].starts(with: $0.text)
      }
      if let found {
        parts.append((String(decoding: rest, as: UTF8.self), false))
        parts.append((found.token, true))
        rest = []
        place += found.text.count
      } else {
        rest.append(bytes[place])
        place += 1
      }
    }
    parts.append((String(decoding: rest, as: UTF8.self), false))
    return parts.map { $0.isToken ? $0.text : Self.withoutAddresses($0.text) }.joined()
  }

  private static func withoutAddresses(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.contains("@") ? someone : String(word)
    }.joined(separator: " ")
  }
}
