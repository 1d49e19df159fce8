import AuthCore

/// The dimensions of the conflicts; a new field of a conflict or an account becomes one more here.
extension PairSpace {
  /// The space of the policies with these triggers, this demand for proof and these literals.
  init(
    triggers: Set<AuthError.Code>, answersUnproven: Bool, _ literals: PolicyLiterals
  ) {
    let codes = PolicyDeclaration.conflicts.filter(triggers.contains)
    let first = codes.first ?? .credentialAlreadyInUse
    var dimensions = [
      Self.codes(codes.dropFirst()), Self.created, Self.signedIn, Self.persons(.current),
      Self.persons(.existing), Self.sameAddress, Self.claims, Self.proof(answersUnproven),
      Self.providers(literals), Self.sessions, Self.credentials(literals),
    ]
    for side in PairSide.allCases {
      dimensions += [
        Self.domains(side, literals), Self.numbers(side), Self.ways(side, literals),
        Self.names(side), Self.photos(side), Self.factors(side), Self.disabled(side),
        Self.claims(side, literals), Self.lastUses(side, literals), Self.ages(side, literals),
        Self.merges(side, literals),
      ]
    }
    self.init(dimensions, code: first)
  }

  private static func codes(_ codes: ArraySlice<AuthError.Code>) -> PairDimension {
    PairDimension(isCore: true, values: codes.map { code in .init("\(code)") { $0.code = code } })
  }

  private static let created = PairDimension(
    isCore: true,
    values: [
      .init("current created first") { $0.setCreated(1, 2) },
      .init("existing created first") { $0.setCreated(2, 1) },
    ])

  private static let signedIn = PairDimension(
    isCore: true,
    values: [
      .init("only current signed in") { $0.setSignedIn(10, nil) },
      .init("only existing signed in") { $0.setSignedIn(nil, 10) },
      .init("both signed in at once") { $0.setSignedIn(10, 10) },
      .init("current signed in last") { $0.setSignedIn(20, 10) },
      .init("existing signed in last") { $0.setSignedIn(10, 20) },
    ])

  private static func persons(_ side: PairSide) -> PairDimension {
    PairDimension(
      of: side, isCore: true,
      values: [
        .init("with an unverified address") { $0[side].setAddress(at: "example.com", false) },
        .init("with a verified address") { $0[side].setAddress(at: "example.com", true) },
        .init("is anonymous") { draft in
          draft[side].isAnonymous = true
          draft[side].identities = []
        },
      ])
  }

  private static let sameAddress = PairDimension(
    isCore: true,
    values: [
      .init("same address") { draft in
        guard let address = draft.current.email, draft.existing.email != nil else {
          draft.isDistinct = false
          return
        }
        draft.existing.email = address
      }
    ])

  private static let claims = PairDimension(
    isCore: true,
    values: [
      .init("only current has claims") { $0.setClaims(["team": "red"], nil) },
      .init("only existing has claims") { $0.setClaims(nil, ["team": "red"]) },
      .init("claims apart") { $0.setClaims(["team": "red"], ["beta": true]) },
      .init("claims equal") { $0.setClaims(["team": "red"], ["team": "red"]) },
      .init("claims in conflict") { $0.setClaims(["team": "red"], ["team": "blue"]) },
    ])

  private static func proof(_ answersUnproven: Bool) -> PairDimension {
    guard answersUnproven else { return PairDimension(values: []) }
    return PairDimension(
      isCore: true,
      values: [
        .init("existing not proven") { $0.proof = MergeProof(current: true, existing: false) },
        .init("current not proven") { $0.proof = MergeProof(current: false, existing: true) },
        .init("nothing proven") { $0.proof = MergeProof(current: false, existing: false) },
      ])
  }

  private static func providers(_ literals: PolicyLiterals) -> PairDimension {
    let usual = ["facebook.com", "apple.com", "password", "phone"].map { ProviderID($0) }
    let all = usual + literals.providers.filter { !usual.contains($0) && $0 != .google }
    return PairDimension(values: all.map { id in .init("by \(id)") { $0.provider = id } })
  }

  private static let sessions = PairDimension(values: [
    .init("signed in a minute ago") { draft in
      draft.session.signedInAt = PairDraft.now.adding(seconds: -60)
    },
    .init("signed in a year ago") { draft in
      draft.session.signedInAt = PairDraft.now.adding(seconds: -31_536_000)
    },
    .init("with a second factor shown") { draft in
      draft.session.signedInAt = PairDraft.now.adding(seconds: -60)
      draft.session.secondFactor = true
    },
  ])

  private static func credentials(_ literals: PolicyLiterals) -> PairDimension {
    let addresses = ["example.com"] + literals.domains.filter { $0 != "example.com" }
    return PairDimension(
      values: addresses.map { domain in
        .init("a credential at \(domain)") { draft in
          draft.credential.subject = "existing"
          draft.credential.email = "existing@\(domain)"
          draft.credential.emailVerified = true
        }
      }
        + literals.claims.map { claim in
          .init("a credential with \(claim.name) = \(claim.value.text)") { draft in
            draft.credential.subject = "existing"
            draft.credential.claims = .object([claim.name: claim.value])
          }
        })
  }
}

/// Dimensions of one account.
extension PairSpace {
  private static func domains(_ side: PairSide, _ literals: PolicyLiterals) -> PairDimension {
    PairDimension(
      of: side,
      values: literals.domains.filter { $0 != "example.com" }.map { domain in
        .init("at \(domain)") { $0[side].setAddress(at: domain, true) }
      })
  }

  private static func numbers(_ side: PairSide) -> PairDimension {
    PairDimension(of: side, values: [.init("with a number") { $0[side].setNumber() }])
  }

  private static func ways(_ side: PairSide, _ literals: PolicyLiterals) -> PairDimension {
    let more = literals.providers.filter {
      ![.google, .password, .phone, .anonymous].contains($0)
    }
    return PairDimension(
      of: side,
      values: [
        .init("with google.com") { $0[side].addIdentity(of: .google) },
        .init("with a password") { draft in
          if draft[side].email == nil { draft[side].setAddress(at: "example.com", true) }
          draft[side].addIdentity(of: .password)
        },
        .init("with phone") { draft in
          draft[side].setNumber()
          draft[side].addIdentity(of: .phone)
        },
        .init("with two of google.com") { draft in
          draft[side].addIdentity(of: .google)
          draft[side].addIdentity(of: .google)
        },
      ]
        + more.map { provider in
          .init("with \(provider)") { draft in
            if provider == .emailLink, draft[side].email == nil {
              draft[side].setAddress(at: "example.com", true)
            }
            draft[side].addIdentity(of: provider)
          }
        })
  }

  private static func names(_ side: PairSide) -> PairDimension {
    PairDimension(
      of: side,
      values: [
        .init("with a name") { $0[side].displayName = "Ada Lovelace" },
        .init("named by its address") {
          $0[side].displayName = "\(side.rawValue)@example.com"
        },
      ])
  }

  private static func photos(_ side: PairSide) -> PairDimension {
    PairDimension(
      of: side,
      values: [
        .init("with a photo") {
          $0[side].photoURL = "https://img.example/\(side.rawValue).png"
        }
      ])
  }

  private static func factors(_ side: PairSide) -> PairDimension {
    PairDimension(
      of: side,
      values: [
        .init("with an authenticator app") { draft in
          draft[side].secondFactors = [SecondFactor(id: "\(side.rawValue)-1", kind: .totp)]
        },
        .init("with a phone factor") { draft in
          guard let number = PhoneNumber(of: side) else { return }
          draft[side].secondFactors = [
            SecondFactor(id: "\(side.rawValue)-2", kind: .phone(number))
          ]
        },
      ])
  }

  private static func disabled(_ side: PairSide) -> PairDimension {
    PairDimension(of: side, values: [.init("is disabled") { $0[side].disabled = true }])
  }

  private static func claims(_ side: PairSide, _ literals: PolicyLiterals) -> PairDimension {
    PairDimension(
      of: side,
      values: literals.claims.map { claim in
        .init("has \(claim.name) = \(claim.value.text)") { draft in
          var members = draft[side].customClaims?.members ?? [:]
          members[claim.name] = claim.value
          draft[side].customClaims = try? CustomClaims(members)
        }
      })
  }

  private static func lastUses(_ side: PairSide, _ literals: PolicyLiterals) -> PairDimension {
    PairDimension(
      of: side,
      values: moments(literals).map { moment in
        .init("signed in at \(moment.text)") { $0[side].lastSignInAt = moment }
      })
  }

  /// One earlier merge at each moment, and as many as a policy sees.
  private static func merges(_ side: PairSide, _ literals: PolicyLiterals) -> PairDimension {
    guard literals.readsMerges else { return PairDimension(of: side, values: []) }
    let given = moments(literals)
    let moments = given.isEmpty ? [PairDraft.now.adding(seconds: -60)] : given
    let newest = PairDraft.now.adding(seconds: -60)
    return PairDimension(
      of: side,
      values: moments.map { moment in
        .init("absorbed an account at \(moment.text)") { draft in
          draft.setAbsorbed(side, [AbsorbedAccount(AccountID("absorbed"), at: moment)])
        }
      } + [
        .init("absorbed \(ConflictHistory.mostMerges) accounts") { draft in
          draft.setAbsorbed(
            side,
            (1...ConflictHistory.mostMerges).map {
              AbsorbedAccount(AccountID("absorbed-\($0)"), at: newest)
            })
        }
      ])
  }

  private static func ages(_ side: PairSide, _ literals: PolicyLiterals) -> PairDimension {
    PairDimension(
      of: side,
      values: moments(literals).map { moment in
        .init("created at \(moment.text)") { $0[side].createdAt = moment }
      })
  }

  /// The times a little more and a little less than the file's spans ago, and a minute ago.
  private static func moments(_ literals: PolicyLiterals) -> [Timestamp] {
    guard literals.readsTime else { return [] }
    let seconds: [Int64] =
      [60] + literals.spans.flatMap { span -> [Int64] in [span / 1000 - 1, span / 1000 + 1] }
    return seconds.map { PairDraft.now.adding(seconds: -$0) }
  }
}

extension PairDraft {
  fileprivate mutating func setCreated(_ current: Int64, _ existing: Int64) {
    self.current.createdAt = Timestamp(milliseconds: current)
    self.existing.createdAt = Timestamp(milliseconds: existing)
  }

  fileprivate mutating func setAbsorbed(_ side: PairSide, _ merges: [AbsorbedAccount]) {
    switch side {
    case .current: history.current = merges
    case .existing: history.existing = merges
    }
  }

  fileprivate mutating func setSignedIn(_ current: Int64?, _ existing: Int64?) {
    self.current.lastSignInAt = current.map { Timestamp(milliseconds: $0) }
    self.existing.lastSignInAt = existing.map { Timestamp(milliseconds: $0) }
  }

  fileprivate mutating func setClaims(
    _ current: [String: JSONValue]?, _ existing: [String: JSONValue]?
  ) {
    self.current.customClaims = current.flatMap { try? CustomClaims($0) }
    self.existing.customClaims = existing.flatMap { try? CustomClaims($0) }
  }
}

extension Account {
  fileprivate mutating func setAddress(at domain: String, _ isVerified: Bool) {
    email = try? EmailAddress("\(id)@\(domain)")
    emailVerified = email != nil && isVerified
  }

  fileprivate mutating func setNumber() {
    phoneNumber = PairSide(rawValue: id.rawValue).flatMap { PhoneNumber(of: $0) }
  }
}

extension PhoneNumber {
  fileprivate init?(of side: PairSide) {
    guard let number = try? PhoneNumber(side == .current ? "+15555550101" : "+15555550102")
    else { return nil }
    self = number
  }
}
