import AuthCore

/// A side of a conflict.
enum PairSide: String, Sendable, Hashable, CaseIterable {
  case current, existing

  var other: PairSide { self == .current ? .existing : .current }
}

/// A conflict that the values of dimensions fill in, one after the other.
///
/// Without any value it is the conflict of an example without any field: two accounts with one identity each.
struct PairDraft {
  var current = Account.plain(.current)
  var existing = Account.plain(.existing)
  var code: AuthError.Code
  var provider = ProviderID.google
  var proof = MergeProof(current: true, existing: true)
  var credential = ConflictCredential()
  var session = ConflictSession()
  var history = ConflictHistory()
  /// False if a value does not apply beside the others, so that the conflict is that of another kind.
  var isDistinct = true

  /// The time of every decision.
  static let now = Timestamp(milliseconds: 1_782_820_800_000)

  init(code: AuthError.Code) {
    self.code = code
  }

  subscript(side: PairSide) -> Account {
    get { side == .current ? current : existing }
    set { if side == .current { current = newValue } else { existing = newValue } }
  }

  /// The conflict; nil if no store has such a pair.
  var conflict: MergeConflict? {
    guard isDistinct, current.isPossible, existing.isPossible else { return nil }
    if code == .emailAlreadyInUse && existing.email == nil { return nil }
    let keys = Set(current.identities.map(\.key))
    if existing.identities.contains(where: { keys.contains($0.key) }) { return nil }
    return uncheckedConflict
  }

  /// The conflict, whether or not a store has such a pair.
  var uncheckedConflict: MergeConflict {
    var conflict = MergeConflict(
      code: code, current: current, existing: existing, provider: provider, proof: proof,
      decidedAt: Self.now)
    conflict.credential = credential
    conflict.session = session
    conflict.history = history
    return conflict
  }
}

extension Account {
  fileprivate static func plain(_ side: PairSide) -> Account {
    var account = Account(
      id: AccountID(side.rawValue), scope: Scope(project: "example"),
      createdAt: Timestamp(milliseconds: 0))
    account.addIdentity(of: .plain)
    return account
  }

  /// Tells whether a store may have the account: no visitor has data, and no rule is broken.
  fileprivate var isPossible: Bool {
    let isVisitor =
      identities.isEmpty && email == nil && phoneNumber == nil && secondFactors.isEmpty
    return (isAnonymous ? isVisitor : !identities.isEmpty) && faults.isEmpty
  }

  /// Adds an identity of a provider whose subject is the account's uid, or its address or number.
  mutating func addIdentity(of provider: ProviderID) {
    var secret: StoredSecret?
    var subject = id.rawValue
    switch provider {
    case .password:
      secret = StoredSecret(encoded: "hash", changedAt: createdAt)
      subject = email?.canonical ?? subject
    case .emailLink: subject = email?.canonical ?? subject
    case .phone: subject = phoneNumber?.text ?? subject
    default: break
    }
    let count = identities.count { $0.provider == provider && provider != .password }
    if count > 0 { subject += "-\(count + 1)" }
    identities.append(
      Identity(
        key: IdentityKey(provider, subject: subject), origin: .credential, linkedAt: createdAt,
        secret: secret))
  }
}

extension ProviderID {
  /// The provider of an account's usual identity.
  static let plain = ProviderID("oidc.example")
}
