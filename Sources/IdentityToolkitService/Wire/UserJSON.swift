import AuthCore
import Foundation

/// An account as Firebase's user record (`UserInfo`); absent values are left out.
///
/// int64 values are text, except `passwordUpdatedAt`.
struct UserJSON {
  /// Whom a record is shown to, which decides what stands in place of the password's hash.
  enum Viewer: Sendable, Hashable {
    case client
    case admin
  }

  let account: Account
  let mode: ServerMode
  let viewer: Viewer

  private var isEmulator: Bool { mode == .emulator }

  var value: JSONValue {
    var user = profile
    user.merge(times) { first, _ in first }
    user.merge(password) { first, _ in first }
    let entries = providerEntries
    if !entries.isEmpty { user["providerUserInfo"] = .array(entries) }
    if !account.secondFactors.isEmpty {
      user["mfaInfo"] = .array(account.secondFactors.map { $0.enrollment(isFull: isEmulator) })
    }
    let passkeys = account.identities(of: .passkey)
    if !passkeys.isEmpty { user["passkeyInfo"] = .array(passkeys.map(\.passkey)) }
    return .object(user)
  }

  private var profile: [String: JSONValue] {
    var user: [String: JSONValue] = ["localId": .string(account.id.rawValue)]
    user.put("email", account.email?.text)
    if account.email != nil || !account.isAnonymous {
      user["emailVerified"] = .bool(account.emailVerified)
    }
    user.put("initialEmail", account.details.initialEmail?.text)
    user.put("displayName", account.displayName)
    user.put("photoUrl", account.photoURL)
    user.put("phoneNumber", account.phoneNumber?.text)
    user.put("customAttributes", account.customClaims?.text)
    user.put("tenantId", account.scope.tenant)
    user.put("screenName", account.details.screenName)
    user.put("language", account.details.language)
    user.put("timeZone", account.details.timeZone)
    user.put("dateOfBirth", account.details.dateOfBirth)
    if account.disabled { user["disabled"] = true }
    if account.details.usedCustomToken { user["customAuth"] = true }
    if account.usesEmailLink { user["emailLinkSignin"] = true }
    return user
  }

  private var times: [String: JSONValue] {
    var user = ["createdAt": JSONValue.string("\(account.createdAt.milliseconds)")]
    user.put("lastLoginAt", account.lastSignInAt.map { "\($0.milliseconds)" })
    user.put("validSince", account.validSince.map { "\($0.milliseconds / 1000)" })
    user.put("lastRefreshAt", account.details.lastRefreshAt?.wireText)
    return user
  }

  private var password: [String: JSONValue] {
    guard let secret = account.shownPassword?.secret else { return [:] }
    var user = ["passwordUpdatedAt": JSONValue.integer(secret.changedAt.milliseconds)]
    let stored = StoredPassword(secret.encoded)
    if viewer == .client && !isEmulator {
      // Apple's client holds an account with an empty hash for one without a password.
      user["passwordHash"] = .string(StoredPassword.redacted)
    } else {
      user["passwordHash"] = .string(stored.hash)
      user.put("salt", stored.salt)
    }
    return user
  }

  /// The entries of `providerUserInfo`, in the order in which the ways in came.
  var providerEntries: [JSONValue] {
    var entries: [JSONValue] = []
    var hasPassword = false
    for identity in account.identities {
      switch identity.provider {
      case .password, .emailLink:
        guard !hasPassword, let entry = passwordEntry else { continue }
        hasPassword = true
        entries.append(entry)
      case .phone:
        guard let number = account.phoneNumber, identity.key == .phone(number) else { continue }
        entries.append(
          [
            "providerId": "phone", "rawId": .string(number.text),
            "phoneNumber": .string(number.text),
          ])
      case .anonymous, .custom, .passkey: continue
      default: entries.append(identity.providerEntry)
      }
    }
    return entries
  }

  private var passwordEntry: JSONValue? {
    guard let address = account.passwordAddress else { return nil }
    var entry: [String: JSONValue] = [
      "providerId": "password", "rawId": .string(address), "federatedId": .string(address),
      "email": .string(address),
    ]
    entry.put("displayName", account.displayName)
    entry.put("photoUrl", account.photoURL)
    return .object(entry)
  }
}

extension Call {
  /// The account as its record, as the one who asks may see it.
  func userRecord(_ account: Account) -> JSONValue {
    UserJSON(
      account: account, mode: services.mode, viewer: seesHashes ? .admin : .client
    ).value
  }
}

extension Account {
  /// The password of its own address, or else one that a merge brought with another address.
  var shownPassword: Identity? {
    passwordIdentity?.secret != nil
      ? passwordIdentity : identities(of: .password).first { $0.secret != nil }
  }

  /// The address that a password or a link signs in with: its own, or else that of a password from a merge.
  fileprivate var passwordAddress: String? {
    if let email, passwordIdentity?.secret != nil || usesEmailLink { return email.text }
    return shownPassword.map { $0.profile.email ?? $0.key.subject }
  }

  /// Whether its own address may be signed in with by a link.
  var usesEmailLink: Bool {
    email.map { identity(IdentityKey(.emailLink, subject: $0.canonical)) != nil } ?? false
  }
}

extension Timestamp {
  /// RFC 3339 text that always has milliseconds, the one form that Apple's client reads.
  var wireText: String { text(withMilliseconds: true) }
}

extension [String: JSONValue] {
  /// Puts a text where there is one.
  mutating func put(_ name: String, _ text: String?) {
    if let text { self[name] = .string(text) }
  }
}
