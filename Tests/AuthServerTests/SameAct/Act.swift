import AuthCore

/// An act on the account `me`, in no face's words.
enum Act: Sendable {
  /// Adds a way in that somebody shows.
  case link(Shown)
  /// Adds an identity on an admin's word.
  case assert(ProviderID, subject: String, email: String? = nil)
  case unlink(ProviderID, force: Bool = false)
  /// Changes the address; an admin may say if it is verified.
  case changeEmail(String, verified: Bool? = nil)
  case changeNumber(String)
  /// Brings an account that was not there: an admin creates it, or an import has it.
  case bring(Newcomer)
  /// Merges the account `other` into `me`.
  case merge
}

/// The proof of a way in that somebody shows.
enum Shown: Sendable {
  /// A credential of ``SameProvider``.
  case vendor(_ subject: String, email: String? = nil)
  /// An address, with a password that is chosen now.
  case password(_ email: String)
  /// A link that was sent to an address.
  case mail(_ email: String)
  /// A code that was sent to a number.
  case number(_ number: String)

  /// The password that is chosen.
  static let password = "another horse"
}

/// Somebody with an account before the act.
struct Somebody: Sendable {
  let uid: String
  var email: String?
  var isVerified = true
  /// Gives an account that has an address the password ``Person/password``.
  var hasPassword = true
  /// Adds links to the address as a way in.
  var hasLink = false
  var number: String?
  /// The identities of ``SameProvider``.
  var subjects: [String] = []
  /// Puts a phone before the account as a second factor.
  var isGuarded = false

  init(_ uid: String, _ email: String?) {
    (self.uid, self.email) = (uid, email)
  }

  /// The account that acts are done to: a verified address and a password.
  static let ada = Somebody("me", "ada@example.com")
  /// The account that is in the way.
  static let bo = Somebody("other", "bo@example.com")
  /// One that signs in with a vendor alone, and has no address.
  static let vendorAlone = Somebody("me", nil).with { $0.subjects = ["1001"] }

  func with(_ change: (inout Somebody) -> Void) -> Somebody {
    var somebody = self
    change(&somebody)
    return somebody
  }
}

/// An account that is brought.
struct Newcomer: Sendable {
  var uid = "new"
  var email: String? = "new@example.com"
  var isVerified = true
  var number: String?
  /// Makes the number a way in, as every face but the graph's own does.
  var numberSignsIn = true
  var subjects: [String] = []
  var hasLink = false
  var isGuarded = false

  init(_ change: (inout Newcomer) -> Void = { _ in }) { change(&self) }

  static let factorNumber = "+15555550188"

  /// True if only a record can say what it has.
  var isRecord: Bool { !subjects.isEmpty || hasLink || !numberSignsIn }
}
