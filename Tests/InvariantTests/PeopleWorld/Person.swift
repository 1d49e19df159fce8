import AuthCore

/// Somebody of the world; what is truly theirs is known to the world alone.
enum Person: String, CaseIterable, Sendable, CustomStringConvertible {
  case ada, bob, cyd

  var description: String { rawValue }

  fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  var mailboxes: [Mailbox] { Mailbox.Kind.allCases.map { Mailbox(owner: self, kind: $0) } }

  /// The password that the person chooses wherever one is asked for.
  var password: String { "the secret of \(self)" }

  var phoneNumber: String { "+49151555000\(index)" }

  /// The uid that the app's own server names in custom tokens.
  var appUser: AccountID { AccountID("app-\(self)") }
}

/// A mailbox, which its owner alone reads.
struct Mailbox: Hashable, Sendable, CustomStringConvertible {
  enum Kind: String, CaseIterable, Sendable {
    case home, work
  }

  let owner: Person
  let kind: Kind

  static let all = Person.allCases.flatMap(\.mailboxes)

  var text: String { "\(owner)-\(kind.rawValue)@example.com" }
  var description: String { text }

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

/// Whose accounts the vendor `team.example` stands for; an admin changes it.
enum Issuer: String, CaseIterable, Sendable, CustomStringConvertible {
  /// Says an address of its own people only.
  case first = "https://first.example"
  /// Says whatever address its people like, and names other people by the same subjects.
  case second = "https://second.example"

  var description: String { rawValue }
}

/// A vendor of accounts.
enum Vendor: String, CaseIterable, Sendable, CustomStringConvertible {
  /// Says a verified address only to its owner, and is trusted from time to time.
  case honest = "honest.example"
  /// Calls every address verified, and is never trusted.
  case careless = "careless.example"
  /// Set up by issuer, forgotten and set up anew; trusted when it was set up with the first issuer.
  case team = "team.example"

  var description: String { rawValue }

  var id: ProviderID { ProviderID(rawValue) }

  /// The person's subject: two issuers give one subject to two people.
  func subject(of person: Person, at issuer: Issuer?) -> String {
    let shift = self == .team && issuer == .second ? 1 : 0
    return "s\((person.index + shift) % Person.allCases.count)"
  }

  /// Whether the vendor would say to a person that a mailbox is theirs and verified.
  func says(_ mailbox: Mailbox, to person: Person, at issuer: Issuer?) -> Bool {
    switch self {
    case .honest: mailbox.owner == person
    case .careless: true
    case .team: issuer == .second || mailbox.owner == person
    }
  }
}
