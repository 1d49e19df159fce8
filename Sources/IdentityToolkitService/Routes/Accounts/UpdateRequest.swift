import AuthCore
import IdentityToolkit

/// Reads the body of `accounts:update`, in the order in which Firebase checks it.
struct UpdateRequest {
  let call: Call
  let account: Account
  /// True if the request has the account's own ID token.
  let isClient: Bool
  var claims: CustomClaims?
  var deleted: Set<Attribute> = []

  /// The attributes that `deleteAttribute` can name.
  enum Attribute: String, CaseIterable {
    case unspecified = "USER_ATTRIBUTE_NAME_UNSPECIFIED"
    case email = "EMAIL"
    case displayName = "DISPLAY_NAME"
    case provider = "PROVIDER"
    case photoURL = "PHOTO_URL"
    case password = "PASSWORD"
    case rawUserInfo = "RAW_USER_INFO"
  }

  private var body: WireFields { call.body }

  /// Refuses fields of an older protocol, which no current client sends, with the emulator's errors.
  static func refuseUnfinished(_ body: WireFields) throws(WireError) {
    for name in ["provider", "upgradeToFederatedLogin"] where body.has(name) {
      throw .notImplemented("\(name) is not implemented.")
    }
  }

  /// Reads the names in `deleteAttribute`, which Android's client sends as numbers.
  static func deletedAttributes(_ body: WireFields) throws(WireError) -> Set<Attribute> {
    var deleted: Set<Attribute> = []
    for name in try body.texts("deleteAttribute") ?? [] {
      let numbered = Int(name).flatMap { number in
        Attribute.allCases.indices.contains(number) ? Attribute.allCases[number] : nil
      }
      guard let attribute = Attribute(rawValue: name) ?? numbered else {
        throw .invalidPayload("/deleteAttribute must be equal to one of the allowed values")
      }
      guard attribute != .provider, attribute != .rawUserInfo else {
        throw .notImplemented("deleteAttribute: \(attribute.rawValue)")
      }
      deleted.insert(attribute)
    }
    return deleted
  }

  func update() throws -> AccountUpdate {
    var update = AccountUpdate()
    try readEmail(&update.profile)
    try readPassword(&update.profile)
    update.factors = try factors()
    if call.isPrivileged { try readAdminFields(&update.profile) }
    update.profile.displayName = try body.change("displayName")
    update.profile.photoURL = try body.change("photoUrl")
    deleteAttributes(&update.profile)
    update.endsSessions = !call.isPrivileged && body.value("validSince") != nil
    update.unlinks = try unlinks()
    if let link = try link() { update.links = [link] }
    return update
  }

  private func readEmail(_ changes: inout ProfileChanges) throws {
    guard let text = try body.filled("email") else { return }
    let email = try WireFields.email(text)
    guard email != account.email else { return }
    changes.email = .set(email)
  }

  private func readPassword(_ changes: inout ProfileChanges) throws {
    guard let password = try body.filled("password") else { return }
    // Only an admin may give an account a password that waits for an address.
    let hasAddress =
      !deleted.contains(.email) && (account.email != nil || changes.email != .leave)
    guard call.isPrivileged || hasAddress else { throw WireError("MISSING_EMAIL") }
    changes.password = Secret(password)
  }

  /// Reads the account's new second factors; an empty list removes all of them.
  private func factors() throws -> [FactorEntry]? {
    guard let mfa = try body.object("mfa") else { return nil }
    return try mfa.secondFactors(
      "enrollments", at: call.services.clock(), ids: call.behavior.idsOfUpdatedFactors) ?? []
  }

  private func readAdminFields(_ changes: inout ProfileChanges) throws {
    if let number = try body.phoneNumber(), number != account.phoneNumber {
      changes.phoneNumber = .set(number)
    }
    if let text = try body.text("customAttributes") {
      changes.customClaims = text.isEmpty ? .clear : claims.map { .set($0) } ?? .leave
    }
    changes.emailVerified = try body.bool("emailVerified")
    changes.disabled = isClient ? nil : try body.bool("disableUser")
    changes.createdAt = try body.time("createdAt")
    changes.lastSignInAt = try body.time("lastLoginAt")
    changes.validSince = try body.time("validSince", unit: 1000)
  }

  private func deleteAttributes(_ changes: inout ProfileChanges) {
    if deleted.contains(.displayName) { changes.displayName = .clear }
    if deleted.contains(.photoURL) { changes.photoURL = .clear }
    if deleted.contains(.password) {
      changes.password = nil
      changes.removesPassword = true
    }
    if deleted.contains(.email) { changes.email = .clear }
  }

  /// Reads the providers to unlink; Firebase's `password` includes e-mail links.
  private func unlinks() throws -> [ProviderID] {
    let hasLink = !account.identities(of: .emailLink).isEmpty
    return try (body.texts("deleteProvider") ?? []).flatMap { name -> [ProviderID] in
      name == "password" && hasLink ? [.password, .emailLink] : [ProviderID(name)]
    }
  }

  private func link() throws -> AssertedIdentity? {
    guard let entry = try body.object("linkProviderUserInfo") else { return nil }
    guard let provider = try entry.filled("providerId") else {
      throw WireError("MISSING_PROVIDER_ID")
    }
    guard let subject = try entry.filled("rawId") else { throw WireError("MISSING_RAW_ID") }
    let profile = IdentityProfile(
      email: try entry.filled("email"), displayName: try entry.filled("displayName"),
      photoURL: try entry.filled("photoUrl"), phoneNumber: try entry.filled("phoneNumber"),
      screenName: try entry.filled("screenName"))
    return AssertedIdentity(
      key: IdentityKey(ProviderID(provider), subject: subject), profile: profile)
  }
}
