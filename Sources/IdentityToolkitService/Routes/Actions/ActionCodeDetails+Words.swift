import AuthCore

extension ActionCodeDetails {
  /// Paragraphs on the account of a code, and on the time and place of its request, for the reader of the mailbox.
  ///
  /// Text that a stranger may have chosen, such as a name, is quoted, so that it does not read as the page's own words.
  var paragraphs: [String] {
    var paragraphs: [String] = []
    if let account {
      let name = account.displayName.map { "“\($0)”" } ?? "without a name"
      paragraphs.append("Account: \(name). Signs in with: \(account.waysInText).")
    }
    var origin = "Asked for: \(requestedAt.text)"
    if let address { origin += ", from \(address)" }
    if let userAgent { origin += ", by “\(userAgent)”" }
    paragraphs.append(origin + ".")
    return paragraphs
  }
}

extension Account {
  /// The account's providers, under names that people know.
  fileprivate var waysInText: String {
    var names: [String] = []
    for identity in identities {
      let name =
        switch identity.provider {
        case .password: "a password"
        case .emailLink: "links by e-mail"
        case .phone: "a phone"
        case .passkey: "a passkey"
        default: identity.provider.rawValue
        }
      if !names.contains(name) { names.append(name) }
    }
    if details.usedCustomToken { names.append("the app itself") }
    return names.isEmpty ? "nothing" : names.joined(separator: ", ")
  }
}
