import AuthCore
import IdentityToolkit

/// One account of an upload, as the record that it becomes.
struct UploadedUser {
  static let fields: [RouteField] = [
    "localId", "tenantId", "email", .flag("emailVerified"), "displayName", "photoUrl",
    "phoneNumber", .flag("disabled"), "customAttributes", "createdAt", "lastLoginAt",
    "passwordHash", "salt", "rawPassword",
    .list("providerUserInfo", most: RouteBounds.identities, of: Route.identity),
    Route.factors("mfaInfo"),
  ]

  let fields: WireFields
  let scope: Scope
  let hashes: UploadedHashes
  let registered: [ProviderID]
  let isEmulator: Bool
  let now: Timestamp

  /// Checks in Firebase's order; throws an ``UploadFault`` with its message.
  func account() throws -> Account {
    guard let id = try fields.filled("localId") else { throw UploadFault("localId is missing") }
    if let tenant = try fields.filled("tenantId"), tenant != scope.tenant {
      throw UploadFault("Tenant id in userInfo does not match the tenant id in request.")
    }
    var account = Account(
      id: AccountID(id), scope: scope, createdAt: try time("createdAt") ?? now)
    account.customClaims = try claims()
    account.displayName = try fields.text("displayName")
    account.photoURL = try fields.text("photoUrl")
    account.lastSignInAt = try time("lastLoginAt")
    account.disabled = try fields.bool("disabled") ?? false
    account.identities = try vendorIdentities()
    try addPhone(to: &account)
    try addEmail(to: &account)
    account.secondFactors = try secondFactors(of: account)
    account.isAnonymous =
      account.identities.isEmpty && account.email == nil && account.phoneNumber == nil
    return account
  }

  private func time(_ name: String) throws -> Timestamp? {
    guard let text = try fields.text(name) else { return nil }
    return Int64(text).map { Timestamp(milliseconds: $0) }
  }

  private func claims() throws -> CustomClaims? {
    guard let text = try fields.filled("customAttributes") else { return nil }
    do throws(AuthError) { return try CustomClaims(text: text) } catch {
      switch error.code {
      case .claimsTooLarge: throw UploadFault("Custom claims provided are too large.")
      case .reservedClaims: throw UploadFault("Custom claims provided include a reserved claim.")
      default: throw UploadFault("Invalid custom claims provided.")
      }
    }
  }

  /// The vendors' entries; those of the password and the number are made of the account's own fields.
  private func vendorIdentities() throws -> [Identity] {
    var identities: [Identity] = []
    let entries = try fields.list("providerUserInfo") ?? []
    guard entries.count <= Account.maximumIdentities else {
      throw UploadFault("providerUserInfo has more than \(Account.maximumIdentities) entries.")
    }
    for entry in try fields.objects("providerUserInfo") ?? [] {
      let id = try entry.filled("providerId")
      if id == "password" || id == "phone" { continue }
      guard let id, let subject = try entry.filled("rawId") else {
        guard try entry.filled("federatedId") != nil else {
          throw UploadFault("federatedId or (providerId & rawId) is required")
        }
        throw UploadFault(
          "((Parsing federatedId is not implemented in Auth Emulator; please specify "
            + "providerId AND rawId as a workaround.))")
      }
      let provider = ProviderID(id)
      if !isEmulator, (try? KnownProviders.check(provider, registered: registered)) == nil {
        throw UploadFault("providerId is not supported")
      }
      let profile = IdentityProfile(
        email: try entry.filled("email"), displayName: try entry.filled("displayName"),
        photoURL: try entry.filled("photoUrl"), phoneNumber: try entry.filled("phoneNumber"),
        screenName: try entry.filled("screenName"))
      identities.append(
        Identity(
          key: IdentityKey(provider, subject: subject), profile: profile, origin: .imported,
          linkedAt: now))
    }
    guard isEmulator else { return identities }
    // Of several identities of one provider the emulator keeps the last.
    var seen: Set<ProviderID> = []
    return identities.reversed().filter { seen.insert($0.provider).inserted }.reversed()
  }

  private func addPhone(to account: inout Account) throws {
    guard let text = try fields.filled("phoneNumber") else { return }
    guard let number = try? PhoneNumber(text) else {
      throw UploadFault("phone number format is invalid")
    }
    account.phoneNumber = number
    account.identities.append(Identity(key: .phone(number), origin: .imported, linkedAt: now))
  }

  private func addEmail(to account: inout Account) throws {
    let hash = try fields.filled("passwordHash")
    let password = try fields.filled("rawPassword")
    guard let text = try fields.filled("email") else { return }
    guard let email = try? EmailAddress(isEmulator ? text.lowercased() : text),
      (try? email.checkSpecials()) != nil
    else {
      throw UploadFault("email is invalid")
    }
    account.email = email
    account.emailVerified = try fields.bool("emailVerified") ?? false
    let stored: String?
    if let hash {
      stored = try hashes.stored(hash, salt: try fields.filled("salt"))
    } else if let password {
      guard isEmulator else {
        throw UploadFault("rawPassword is not supported; send passwordHash and how it was made.")
      }
      stored = EmulatedHash(choosing: password).text
    } else {
      stored = nil
    }
    if let stored {
      account.identities.append(
        Identity(
          key: .password(email), origin: .imported, linkedAt: now,
          secret: StoredSecret(encoded: stored, changedAt: now)))
    }
  }

  private func secondFactors(of account: Account) throws -> [SecondFactor] {
    guard let listed = try fields.list("mfaInfo"), !listed.isEmpty else { return [] }
    guard account.email != nil else {
      throw UploadFault("Second factor account requires email to be presented.")
    }
    guard account.emailVerified else {
      throw UploadFault("Second factor account requires email to be verified.")
    }
    guard listed.count <= AccountGraph.maximumSecondFactors else {
      throw UploadFault("mfaInfo has more than \(AccountGraph.maximumSecondFactors) entries.")
    }
    var factors: [SecondFactor] = []
    var ids: Set<String> = []
    for entry in try fields.objects("mfaInfo") ?? [] {
      let id = try entry.filled("mfaEnrollmentId") ?? RandomID.enrollment()
      guard ids.insert(id).inserted else { throw UploadFault("Enrollment id already exists.") }
      factors.append(
        SecondFactor(
          id: id, kind: try kind(entry), displayName: try entry.filled("displayName"),
          enrolledAt: try entry.filled("enrolledAt") ?? now.wireText))
    }
    return factors
  }

  private func kind(_ entry: WireFields) throws -> SecondFactor.Kind {
    if !isEmulator, entry.value("totpInfo") != nil { return .totp }
    guard let text = try entry.filled("phoneInfo") else {
      throw UploadFault("Second factor not supported.")
    }
    guard let number = try? PhoneNumber(text) else {
      throw UploadFault("Phone number format is invalid")
    }
    return .phone(number)
  }
}
