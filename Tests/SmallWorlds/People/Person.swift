import AuthCore

/// A person of the world.
///
/// Only the world knows what really belongs to them.
package enum Person: String, CaseIterable, Sendable, CustomStringConvertible {
  case ada, bob, cyd

  package var description: String { rawValue }

  var index: Int {
    switch self {
    case .ada: 0
    case .bob: 1
    case .cyd: 2
    }
  }

  package var mailboxes: [Mailbox] { Mailbox.Kind.allCases.map { Mailbox(owner: self, kind: $0) } }

  /// The password that the person chooses everywhere.
  var password: String { "the secret of \(self)" }

  /// The name of the person's authenticator app.
  var factor: String { "the app of \(self)" }

  var phoneNumber: String { "+49151555000\(index)" }

  /// The uid that the app's own server names in custom tokens.
  var appUser: AccountID { AccountID("app-\(self)") }
}

/// A mailbox, which its owner alone reads.
package struct Mailbox: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, CaseIterable, Sendable {
    case home, work
  }

  package let owner: Person
  package let kind: Kind

  static let all = Person.allCases.flatMap(\.mailboxes)

  var text: String { "\(owner)-\(kind.rawValue)@example.com" }
  package var description: String { text }

  /// Returns the mailbox that an address names.
  init?(_ email: EmailAddress?) {
    guard let email, let found = Self.all.first(where: { $0.text == email.canonical }) else {
      return nil
    }
    self = found
  }

  init(owner: Person, kind: Kind) {
    self.owner = owner
    self.kind = kind
  }

  func address() throws -> EmailAddress { try EmailAddress(text) }
}

/// The issuer behind the vendor `team.example`, which an admin can change.
package enum Issuer: String, CaseIterable, Sendable, CustomStringConvertible {
  /// States only its own people's addresses.
  case first = "https://first.example"
  /// States any address, and uses the same subjects for other people.
  case second = "https://second.example"

  package var description: String { rawValue }
}

/// An identity vendor.
package enum Vendor: String, CaseIterable, Sendable, CustomStringConvertible {
  /// States a verified address only to its owner, and is trusted at times.
  case honest = "honest.example"
  /// States every address as verified, and is never trusted.
  case careless = "careless.example"
  /// Configured by issuer, removed and configured anew; trusted if it was configured with the first issuer.
  case team = "team.example"

  package var description: String { rawValue }

  var id: ProviderID { ProviderID(rawValue) }

  /// Returns the person's subject.
  ///
  /// The second issuer swaps the subjects of the first two people.
  func subject(of person: Person, at issuer: Issuer?) -> String {
    let isSwapped = self == .team && issuer == .second && person != .cyd
    return "s\(isSwapped ? 1 - person.index : person.index)"
  }

  /// Tells whether the vendor would state to a person that a mailbox is theirs and verified.
  func says(_ mailbox: Mailbox, to person: Person, at issuer: Issuer?) -> Bool {
    switch self {
    case .honest: mailbox.owner == person
    case .careless: true
    case .team: issuer == .second || mailbox.owner == person
    }
  }
}
