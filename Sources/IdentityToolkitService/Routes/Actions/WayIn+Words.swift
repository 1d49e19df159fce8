import AuthCore

extension [WayIn] {
  /// The paragraph on the ways in that stay, as far as the mailbox's reader may see them.
  var paragraphs: [String] {
    guard !isEmpty else { return [] }
    return [
      "What opens the account now: \(map(\.words).joined(separator: ", ")).",
      "If you do not know one of them, sign in and end it.",
    ]
  }
}

extension WayIn {
  fileprivate var words: String {
    let name =
      switch kind {
      case .provider: provider?.rawValue ?? "another provider"
      case .password: "a password"
      case .emailLink: "links to your address"
      case .phone: "codes to a phone"
      case .passkey: "a passkey"
      case .secondFactor: "with a second factor"
      case .sessions: "open sessions"
      case .mailbox: "messages to your address"
      case .customToken: "the app itself"
      }
    return obstacle == nil ? name : "\(name) (not at present)"
  }
}
