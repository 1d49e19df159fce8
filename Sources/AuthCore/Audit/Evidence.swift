/// A proof that is checked before the rules run, as the audit names it; never the secret itself.
struct Evidence: Sendable {
  /// The rule of the trace step that explains a refusal.
  let rule: String
  var provider: ProviderID?
  var details: [String: JSONValue] = [:]
  /// Removes secrets from the text of a refusal; nil if the graph alone writes that text.
  private var hiding: (@Sendable (String) -> String)?

  static func credential(_ credential: Credential) -> Evidence {
    Evidence(
      rule: "credential", provider: credential.provider,
      details: ["provider": .string(credential.provider.rawValue)],
      hiding: { credential.hidden(in: $0) })
  }

  /// A vendor's refresh token.
  static func renewal(of key: IdentityKey, by token: Secret<String>) -> Evidence {
    Evidence(
      rule: "credential", provider: key.provider,
      details: ["identity": .string(key.description)],
      hiding: { $0.hiding([token.reveal()]) })
  }

  static let secondFactor = Evidence(rule: "second factor")
  static let actionCode = Evidence(rule: "action code")
  /// A message, whose refusal its service may have worded.
  static let message = Evidence(rule: "message", hiding: { $0 })
  /// An account as the caller read it.
  static let account = Evidence(rule: "account")

  /// Returns the text of a refusal as the audit keeps it.
  ///
  /// A plug-in or a vendor may have worded it. So it is cut, and loses the presented secrets and whatever looks like a
  /// token.
  func harmless(_ text: String) -> String {
    guard let hiding else { return text }
    return TextBounds(characters: 300, bytes: 1200).cut(hiding(text).withoutTokens)
  }
}

extension String {
  /// Returns the text without secrets; those of fewer than four bytes stay, because they may be part of any word.
  func hiding(_ secrets: [String]) -> String {
    var text = self
    // The longest first, so that a secret within another one leaves no rest of the longer.
    for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count })
    where secret.utf8.count >= 4 && secret.utf8.count <= text.utf8.count {
      text = text.replacing(secret, with: "…")
    }
    return text
  }

  /// The text on one line, with an ellipsis in place of whatever may be a token or a part of one.
  fileprivate var withoutTokens: String {
    var (text, run) = ("", "")
    for scalar in unicodeScalars {
      if scalar.isOfTokens {
        run.unicodeScalars.append(scalar)
        continue
      }
      text += run.looksLikeToken ? "…" : run
      run = ""
      text.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return text + (run.looksLikeToken ? "…" : run)
  }

  /// True if letters without a gap are too long for a word, or mixed with digits as in no word.
  private var looksLikeToken: Bool {
    let hasDigit = utf8.contains { (0x30...0x39).contains($0) }
    let hasLetter = utf8.contains { $0 >= 0x41 }
    return utf8.count > 32 || (utf8.count >= 16 && hasDigit && hasLetter)
  }
}

extension Unicode.Scalar {
  /// True for the characters of tokens: the letters of both base64 alphabets.
  fileprivate var isOfTokens: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "+", "/", "=", "~": true
    default: false
    }
  }
}

extension AccountGraph {
  /// Records a refused proof in the audit with the failed check; the error then names the event.
  func audited<Result>(
    _ action: Action, of account: AccountID? = nil, showing evidence: Evidence, by caller: Caller,
    _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as AuthError {
      _ = try await perform(
        caller, load: SnapshotQuery(in: caller.scope),
        decide: { _, _ in
          var verdict = Verdict(action: action, accountID: account, error: error)
          verdict.details = evidence.details
          verdict.trace.note(refusal: error, of: evidence)
          return verdict
        })
      throw error
    }
  }
}
