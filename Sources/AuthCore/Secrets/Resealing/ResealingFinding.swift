/// A sealed text, and what it was sealed for.
package struct SealedText: Sendable, Hashable {
  package let text: String
  package let purpose: String

  package init(_ text: String, for purpose: String) {
    self.text = text
    self.purpose = purpose
  }

  /// The ID of the key that sealed it, as the text says; nil if it is not sealed as this version seals.
  package var keyID: String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "sealed", parts[2].utf8.count == 12,
      parts[2].allSatisfy(\.isHexDigit)
    else { return nil }
    return String(parts[2])
  }
}

/// What becomes of a sealed text when a store is sealed with one key.
package enum ResealingOutcome: String, Sendable, Hashable, CaseIterable {
  /// The key opens it already.
  case kept
  /// Another key opened it, and the key has sealed it anew.
  case resealed
  /// No key opens it, and it was removed.
  case dropped
  /// No key opens it, and it is where it was.
  case unreadable
}

/// Sealed texts of one kind in one scope that one key sealed, and what became of them.
package struct ResealingFinding: Sendable, Hashable {
  package let scope: Scope
  /// What is sealed, such as "clientSecret of oidc.work".
  package let what: String
  /// The ID of the key that sealed it; nil if the text does not say.
  package let keyID: String?
  package let outcome: ResealingOutcome

  package init(scope: Scope, what: String, keyID: String?, outcome: ResealingOutcome) {
    self.scope = scope
    self.what = what
    self.keyID = keyID
    self.outcome = outcome
  }
}
