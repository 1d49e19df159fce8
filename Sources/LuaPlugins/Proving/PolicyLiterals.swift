import AuthCore

/// The literals of a policy file that may set some accounts apart.
///
/// A proof gives them to accounts, so that a policy that treats "google.com", `role == "admin"` or thirty days specially
/// meets such accounts.
struct PolicyLiterals {
  /// A custom claim with one value.
  struct Claim: Hashable {
    let name: String
    let value: JSONValue
  }

  private(set) var claims: [Claim] = []
  private(set) var providers: [ProviderID] = []
  private(set) var domains: [String] = []
  /// The spans of time in milliseconds; empty if the file reads no time.
  private(set) var spans: [Int64] = []
  /// True if the file has the time of a decision.
  let readsTime: Bool
  /// True if the file looks at the earlier merges of an account.
  let readsMerges: Bool

  private let tokens: [LuaToken]

  init(_ text: String) {
    tokens = LuaLexer.tokens(of: text)
    readsTime = tokens.contains { $0.kind == .name && $0.text == "time" }
    readsMerges = tokens.contains { $0.text == "absorbed" }
    for index in tokens.indices { addClaims(at: index) }
    for token in tokens where token.kind == .text { addName(token.text) }
    if readsTime { addSpans() }
    claims = claims.distinct(atMost: 12)
    providers = providers.distinct(atMost: 6)
    domains = domains.distinct(atMost: 4)
    spans = spans.distinct(atMost: 6)
  }

  private func token(_ index: Int) -> LuaToken? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  /// The names that are no claims, because conflicts, accounts, plans and examples have them.
  private static let known: Set<String> = Set(
    AccountField.allCases.map(\.rawValue) + MergeField.allCases.map(\.rawValue) + [
      "code", "provider", "current", "existing", "proof", "both", "uid", "providerID", "issuer",
      "subject", "isPrivateEmail", "enrolledFactors", "factorID", "enrolledAt", "creationTime",
      "lastSignInTime", "name", "on", "decide", "examples", "unproven", "survivor", "expect",
      "refuse", "into", "from", "fields", "dropIdentities", "answer", "reason", "now",
      "absorbed", "at", "identities",
    ])
}

/// Claims.
extension PolicyLiterals {
  /// Adds the values that a name is compared with, has by default or has in a table.
  private mutating func addClaims(at index: Int) {
    let before = token(index - 1)?.text
    var next = index + 1
    switch tokens[index].kind {
    case .name where before == "." || before == "{" || before == ",": break
    case .text where before == "[" && token(next)?.text == "]": next += 1
    default: return
    }
    let name = tokens[index].text
    guard !Self.known.contains(name), let sign = token(next)?.text else { return }
    switch sign {
    case "==", "~=", "<", ">", "<=", ">=", "or", "=":
      for value in literals(at: next + 1) { claims.append(Claim(name: name, value: value)) }
    case "]" where before == ".":
      for value in tableNames { claims.append(Claim(name: name, value: .string(value))) }
    case "then", "and", ")", "end", "return":
      if before == "." { claims.append(Claim(name: name, value: .bool(true))) }
    case "+", "-", "*", "/":
      if before == "." { claims.append(Claim(name: name, value: .integer(1))) }
    default: break
    }
  }

  /// The value of a literal, and the numbers beside it.
  private func literals(at index: Int) -> [JSONValue] {
    guard let token = token(index) else { return [] }
    switch (token.kind, token.text) {
    case (.text, let text): return [.string(text)]
    case (.keyword, "true"): return [.bool(true)]
    case (.keyword, "false"): return [.bool(false), .bool(true)]
    case (.number, let text):
      guard let number = Int64(text), number < .max else { return [] }
      return [.integer(number), .integer(number + 1)]
    case (.symbol, "{"):
      let texts = tokens.filter { $0.kind == .text }.map { JSONValue.string($0.text) }
      return [.array(Array(texts.prefix(3)))]
    default: return []
    }
  }

  /// The names of fields in tables, by which a claim may be looked up.
  private var tableNames: [String] {
    tokens.indices.filter { index in
      tokens[index].kind == .name && token(index + 1)?.text == "="
        && ["{", ","].contains(token(index - 1)?.text) && !Self.known.contains(tokens[index].text)
    }.map { tokens[$0].text }
  }
}

/// Providers, domains and spans of time.
extension PolicyLiterals {
  private static let providersWithoutDot = [
    "password", "phone", "anonymous", "emailLink", "custom", "passkey",
  ]

  /// Adds a text as a provider and as a domain, if it can be one.
  private mutating func addName(_ text: String) {
    if Self.providersWithoutDot.contains(text) { providers.append(ProviderID(text)) }
    // Patterns of Lua escape a dot, and may begin with "@" and end with "$".
    let plain = text.replacing("%", with: "").split(separator: "@").last.map(String.init) ?? ""
    let name = plain.filter { $0 != "$" && $0 != "^" }
    guard name.contains("."), name.first?.isLetter == true, name.last?.isLetter == true,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") })
    else { return }
    if name == text { providers.append(ProviderID(name)) }
    if (try? EmailAddress("a@\(name)")) != nil { domains.append(name) }
  }

  private mutating func addSpans() {
    var (units, counts): ([Int64], [Int64]) = ([], [])
    for index in tokens.indices where tokens[index].kind == .number {
      guard token(index - 1)?.text != "*" || token(index - 2)?.kind != .number,
        let product = product(at: index)
      else { continue }
      if product >= 1000 { units.append(product) } else if product > 0 { counts.append(product) }
    }
    for unit in units {
      spans.append(unit)
      for count in counts where count > 1 {
        let (span, overflows) = unit.multipliedReportingOverflow(by: count)
        if !overflows { spans.append(span) }
      }
    }
    spans.removeAll { $0 > 4_000_000_000_000 }
  }

  /// The product of a chain of numbers; nil if it is none of whole ones.
  private func product(at start: Int) -> Int64? {
    guard var product = Int64(tokens[start].text) else { return nil }
    var index = start + 1
    while token(index)?.text == "*", let factor = token(index + 1), factor.kind == .number {
      guard let factor = Int64(factor.text) else { return nil }
      let (next, overflows) = product.multipliedReportingOverflow(by: factor)
      guard !overflows else { return nil }
      (product, index) = (next, index + 2)
    }
    return product
  }
}

extension Array where Element: Hashable {
  /// The first elements, each once.
  fileprivate func distinct(atMost limit: Int) -> [Element] {
    var seen: Set<Element> = []
    return Array(filter { seen.insert($0).inserted }.prefix(limit))
  }
}
