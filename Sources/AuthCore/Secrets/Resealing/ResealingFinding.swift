/// A sealed text with its purpose.
package struct SealedText: Sendable, Hashable {
  package let text: String
  package let purpose: String

  package init(_ text: String, for purpose: String) {
    self.text = text
    self.purpose = purpose
  }

  /// The ID of the key that sealed it, from the text itself; nil if the text has another form.
  package var keyID: String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "sealed", parts[2].utf8.count == 12,
      parts[2].allSatisfy(\.isHexDigit)
    else { return nil }
    return String(parts[2])
  }
}

/// The outcome for a sealed text when a store is sealed with one key.
package enum ResealingOutcome: String, Sendable, Hashable, CaseIterable {
  /// The key already opens it.
  case kept
  /// Another key opened it, and the key sealed it anew.
  case resealed
  /// No key opens it, and it was removed.
  case dropped
  /// No key opens it, and it was kept.
  case unreadable
}

/// The outcome for sealed texts of one kind and key in one scope.
package struct ResealingFinding: Sendable, Hashable {
  package let scope: Scope
  /// The sealed value, such as "clientSecret of oidc.work".
  package let what: String
  /// The ID of the key that sealed it; nil if unknown.
  package let keyID: String?
  package let outcome: ResealingOutcome

  package init(scope: Scope, what: String, keyID: String?, outcome: ResealingOutcome) {
    self.scope = scope
    self.what = what
    self.keyID = keyID
    self.outcome = outcome
  }
}
