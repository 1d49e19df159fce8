/// A kind of text that an account stores: its name in messages, its bounds and the code of a refusal.
struct KeptText: Sendable {
  /// The name that error messages use.
  let title: String
  /// The name of the field in a record, as in Firebase's files.
  let field: String
  let bounds: TextBounds
  let code: AuthError.Code

  private init(
    _ title: String, field: String, bounds: TextBounds,
    code: AuthError.Code = .invalidArgument
  ) {
    (self.title, self.field, self.bounds, self.code) = (title, field, bounds, code)
  }

  static let uid = KeptText("A uid", field: "localId", bounds: .uid, code: .invalidUID)
  static let displayName = KeptText(
    "A display name", field: "displayName", bounds: .name, code: .invalidDisplayName)
  static let photoURL = KeptText(
    "A photo URL", field: "photoUrl", bounds: .url, code: .invalidPhotoURL)
  static let claims = KeptText(
    "Custom claims", field: "customAttributes", bounds: .claims, code: .claimsTooLarge)
  static let email = KeptText("An e-mail address", field: "email", bounds: .name)
  static let phoneNumber = KeptText("A phone number", field: "phoneNumber", bounds: .name)
  static let screenName = KeptText("A screen name", field: "screenName", bounds: .name)
  static let language = KeptText("A language", field: "language", bounds: .name)
  static let timeZone = KeptText("A time zone", field: "timeZone", bounds: .name)
  static let dateOfBirth = KeptText("A date of birth", field: "dateOfBirth", bounds: .name)
  static let providerID = KeptText("A provider's ID", field: "providerId", bounds: .providerID)
  static let issuer = KeptText("An issuer", field: "issuer", bounds: .issuer)
  static let subject = KeptText("A provider's subject", field: "rawId", bounds: .subject)
  static let credentialID = KeptText("A passkey's ID", field: "rawId", bounds: .credentialID)
  static let secret = KeptText("A password's hash", field: "passwordHash", bounds: .secret)
  static let factorID = KeptText(
    "A second factor's ID", field: "mfaEnrollmentId", bounds: .factorID)
  static let factorName = KeptText(
    "A second factor's name", field: "displayName", bounds: .name, code: .invalidDisplayName)
  static let enrolledAt = KeptText("The time of an enrolment", field: "enrolledAt", bounds: .moment)
  static let factorSecret = KeptText("A second factor's secret", field: "totpInfo", bounds: .secret)
}

/// A text that exceeds its bounds.
struct LongText: Sendable {
  let kind: KeptText
  let text: String
  /// The list entry that has the text, such as `providerUserInfo.[2]`; nil for a field of the account itself.
  let place: String?

  /// The error that names the field.
  var refusal: AuthError {
    kind.bounds.refusal(
      kind.title, field: place.map { "\($0).\(kind.field)" } ?? kind.field, code: kind.code)
  }
}

extension Account {
  /// The maximum number of identities of an account.
  public static let maximumIdentities = 100

  /// The maximum number of bytes that an account adds to an ID token, so that no token is too large for its receivers.
  static let maximumTokenBytes = 32 << 10

  /// Returns the error that keeps the account from being stored; nil if it is within all bounds.
  ///
  /// A text or size that one of the other accounts already has is accepted: it was stored before there were bounds.
  func excess(beside others: @autoclosure () -> [Account] = []) -> AuthError? {
    let long = longTexts
    if !long.isEmpty {
      let known = Set(others().flatMap { $0.longTexts.map(\.text) })
      if let first = long.first(where: { !known.contains($0.text) }) { return first.refusal }
    }
    if isOver(Self.maximumIdentities, \.identities.count, others()) {
      return Self.tooManyIdentities
    }
    guard isOver(Self.maximumTokenBytes, \.tokenBytes, others()) else { return nil }
    return AuthError(
      .claimsTooLarge, "The account's identities and claims do not fit into an ID token.",
      field: "customAttributes",
      remedy: "Give it fewer identities, or keep large data elsewhere.", step: .decision)
  }

  /// Tells whether a size exceeds the limit and not because another account's did before.
  ///
  /// If one of the others is over the limit, the account may be as large as all of them together, as after a merge.
  private func isOver(
    _ limit: Int, _ size: (Account) -> Int, _ others: @autoclosure () -> [Account]
  ) -> Bool {
    let own = size(self)
    guard own > limit else { return false }
    let sizes = others().map(size)
    return own > sizes.reduce(0, +) || sizes.allSatisfy { $0 <= limit }
  }

  private static let tooManyIdentities = AuthError(
    .invalidArgument, "An account has at most \(maximumIdentities) identities.",
    field: "providerUserInfo", remedy: "Leave some out.", step: .decision)
}

extension Account {
  /// The texts that exceed their bounds; usually none.
  private var longTexts: [LongText] {
    var found: [LongText] = []
    func see(_ text: String?, _ kind: KeptText, at place: @autoclosure () -> String? = nil) {
      guard let text, !kind.bounds.allow(text) else { return }
      found.append(LongText(kind: kind, text: text, place: place()))
    }
    see(id.rawValue, .uid)
    see(displayName, .displayName)
    see(photoURL, .photoURL)
    see(customClaims?.text, .claims)
    see(details.screenName, .screenName)
    see(details.language, .language)
    see(details.timeZone, .timeZone)
    see(details.dateOfBirth, .dateOfBirth)
    for index in identities.indices {
      identities[index].eachText { see($0, $1, at: "providerUserInfo.[\(index)]") }
    }
    for (index, factor) in secondFactors.enumerated() {
      see(factor.id, .factorID, at: "mfaInfo.[\(index)]")
      see(factor.displayName, .factorName, at: "mfaInfo.[\(index)]")
      see(factor.enrolledAt, .enrolledAt, at: "mfaInfo.[\(index)]")
      see(factor.secret?.encoded, .factorSecret, at: "mfaInfo.[\(index)]")
    }
    return found
  }

  /// An upper bound of the bytes that the account adds to an ID token.
  private var tokenBytes: Int {
    var plain = 2 * id.rawValue.utf8.count + 2 * (email?.text.utf8.count ?? 0)
    plain += (displayName?.utf8.count ?? 0) + (photoURL?.utf8.count ?? 0)
    plain += customClaims?.text.utf8.count ?? 0
    for index in identities.indices {
      let key = identities[index].key
      plain += key.provider.rawValue.utf8.count + key.subject.utf8.count + 8
    }
    // An escape makes one byte six.
    guard plain > Self.maximumTokenBytes / 6 else { return plain }
    var writer = JSONWriter()
    for text in [id.rawValue, id.rawValue, email?.text, email?.text, displayName, photoURL] {
      if let text { writer.write(text) }
    }
    if let customClaims { writer.writeOrNull(.object(customClaims.members)) }
    for identity in identities {
      writer.write(identity.key.provider.rawValue)
      writer.write(identity.key.subject)
    }
    return writer.count
  }
}

extension Identity {
  /// Visits the identity's texts, and those of the identities it replaced.
  fileprivate func eachText(_ visit: (String?, KeptText) -> Void) {
    visit(key.provider.rawValue, .providerID)
    visit(key.issuer, .issuer)
    visit(key.subject, key.provider == .passkey ? .credentialID : .subject)
    visit(profile.email, .email)
    visit(profile.displayName, .displayName)
    visit(profile.photoURL, .photoURL)
    visit(profile.phoneNumber, .phoneNumber)
    visit(profile.screenName, .screenName)
    visit(profile.language, .language)
    visit(profile.dateOfBirth, .dateOfBirth)
    visit(secret?.encoded, .secret)
    for old in predecessors { old.identity.eachText(visit) }
  }
}

extension IdentityKey {
  /// Checks the lengths of the key's texts; throws `invalid-argument` unless another code is given.
  func checkBounds(code: AuthError.Code = .invalidArgument) throws(AuthError) {
    let subjectKind = provider == .passkey ? KeptText.credentialID : .subject
    try TextBounds.providerID.check(
      provider.rawValue, KeptText.providerID.title, field: "providerID", code: code)
    try TextBounds.issuer.check(issuer, KeptText.issuer.title, field: "issuer", code: code)
    try subjectKind.bounds.check(subject, subjectKind.title, field: "subject", code: code)
  }
}
