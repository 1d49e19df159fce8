/// A request, its caller and the settings, as small numbers: a state without its accounts.
struct Question: Hashable, Sendable {
  enum Kind: UInt8, CaseIterable, Sendable {
    case signInVendor, signInPassword, signInStalePassword, signInLink, signInAnonymous
    case signInApp, signUp
    case linkVendor, linkPassword, linkLink, assert
    case unlinkVendor, unlinkPassword, unlinkLink
  }

  enum Asker: UInt8, CaseIterable, Sendable {
    case anyone, admin
    /// A session of the account that is to change.
    case recent, recentWithFactor, old, ended
    /// A session of another account, inside or outside the snapshot.
    case other, stranger
  }

  /// A vendor's statement on the address.
  enum Claim: UInt8, Sendable {
    case none, said, verified
  }

  struct Settings: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let sharedAddresses = Settings(rawValue: 1)
    static let trustsFirst = Settings(rawValue: 2)
    static let trustsSecond = Settings(rawValue: 4)
    static let manyIdentities = Settings(rawValue: 8)
    static let noSignUp = Settings(rawValue: 16)
    static let lastMayGo = Settings(rawValue: 32)
    static let policy = Settings(rawValue: 64)
    static let tellsAddresses = Settings(rawValue: 128)

    func trusts(_ provider: Int) -> Bool { contains(provider == 0 ? .trustsFirst : .trustsSecond) }
  }

  let kind: Kind
  var provider = 0
  /// The subject of the provider; nil if none is named.
  var subject: Int?
  /// 1 or 2; 0 for none.
  var address = 0
  var claim = Claim.none
  var asker = Asker.anyone
  var settings: Settings = []
  var isForced = false

  init(_ kind: Kind) { self.kind = kind }
}

extension Question {
  /// True if it names an account.
  ///
  /// An app may name one that does not exist.
  var hasTarget: Bool {
    switch kind {
    case .signInApp, .linkVendor, .linkPassword, .linkLink, .assert: true
    case .unlinkVendor, .unlinkPassword, .unlinkLink: true
    default: false
    }
  }

  /// True if it is about an existing account, and not about a sign-in.
  var changesAccount: Bool { hasTarget && kind != .signInApp }

  /// True if a person can show a second factor with this request.
  var takesProof: Bool {
    switch kind {
    case .assert, .unlinkVendor, .unlinkPassword, .unlinkLink, .signInAnonymous, .signUp: false
    default: true
    }
  }

  /// The keys of accounts that the rules see.
  var keys: UInt16 {
    var keys: UInt16 = 0
    if let subject, kind != .unlinkVendor {
      keys |= SmallAccount.Keys.subject(subject, of: provider)
    }
    guard address > 0 else { return keys }
    let place = UInt16(address - 1)
    keys |= SmallAccount.Keys.address << place
    switch kind {
    case .signInPassword, .signInStalePassword: keys |= SmallAccount.Keys.password << place
    case .signInLink, .signUp, .linkPassword, .linkLink:
      keys |= (SmallAccount.Keys.password | SmallAccount.Keys.link) << place
    default: break
    }
    return keys
  }

  func renamed(by renaming: Renaming) -> Question {
    var question = self
    question.provider = namesProvider ? renaming.provider(provider) : provider
    question.subject = subject.map { renaming.subject($0, of: provider) }
    question.address = renaming.address(address)
    if renaming.swapsProviders {
      question.settings.subtract([.trustsFirst, .trustsSecond])
      if settings.trusts(0) { question.settings.insert(.trustsSecond) }
      if settings.trusts(1) { question.settings.insert(.trustsFirst) }
    }
    return question
  }

  private var namesProvider: Bool {
    switch kind {
    case .signInVendor, .linkVendor, .assert, .unlinkVendor: true
    default: false
    }
  }

  /// A number for each question, which orders those that differ only in names.
  var order: UInt64 {
    var order = UInt64(kind.rawValue)
    for (value, bits) in [
      (provider, 1), (subject.map { $0 + 1 } ?? 0, 2), (address, 2), (Int(claim.rawValue), 2),
      (Int(asker.rawValue), 4), (Int(settings.rawValue), 8), (isForced ? 1 : 0, 1),
    ] {
      order = order << UInt64(bits) | UInt64(value)
    }
    return order
  }
}
