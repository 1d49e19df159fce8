import AuthCore

/// An act on the account `me`, independent of an interface.
enum Act: Sendable {
  /// Links an identity with its proof.
  case link(Shown)
  /// Links an identity on an admin's authority.
  case assert(ProviderID, subject: String, email: String? = nil)
  case unlink(ProviderID, force: Bool = false)
  /// Changes the address; an admin may set if it is verified.
  case changeEmail(String, verified: Bool? = nil)
  case changeNumber(String)
  /// Adds a new account: an admin creates it, or an import contains it.
  case bring(Newcomer)
  /// Merges the account `other` into `me`.
  case merge
}

/// The proof of an identity.
enum Shown: Sendable {
  /// A credential of ``SameProvider``.
  case vendor(_ subject: String, email: String? = nil)
  /// An address with a new password.
  case password(_ email: String)
  /// A link that was sent to an address.
  case mail(_ email: String)
  /// A code that was sent to a number.
  case number(_ number: String)

  /// The chosen password.
  static let password = "another horse"
}

/// An account before the act.
struct StagedAccount: Sendable {
  let uid: String
  var email: String?
  var isVerified = true
  /// True if the account has an address and the password ``Person/password``.
  var hasPassword = true
  /// True if links to the address sign in too.
  var hasLink = false
  var number: String?
  /// The identities of ``SameProvider``.
  var subjects: [String] = []
  /// True if the account has a phone as its second factor.
  var isGuarded = false

  init(_ uid: String, _ email: String?) {
    (self.uid, self.email) = (uid, email)
  }

  /// The account under test: a verified address and a password.
  static let ada = StagedAccount("me", "ada@example.com")
  /// The account in the way.
  static let bo = StagedAccount("other", "bo@example.com")
  /// An account with a vendor's identity alone, without an address.
  static let vendorAlone = StagedAccount("me", nil).with { $0.subjects = ["1001"] }

  func with(_ change: (inout StagedAccount) -> Void) -> StagedAccount {
    var staged = self
    change(&staged)
    return staged
  }
}

/// A new account.
struct Newcomer: Sendable {
  var uid = "new"
  var email: String? = "new@example.com"
  var isVerified = true
  var number: String?
  /// True if the number signs in, as in every interface but the graph's own.
  var numberSignsIn = true
  var subjects: [String] = []
  var hasLink = false
  var isGuarded = false

  init(_ change: (inout Newcomer) -> Void = { _ in }) { change(&self) }

  static let factorNumber = "+15555550188"

  /// True if only a record can express its fields.
  var isRecord: Bool { !subjects.isEmpty || hasLink || !numberSignsIn }
}
