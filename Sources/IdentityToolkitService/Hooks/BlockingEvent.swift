import AuthCore
import Foundation

/// The claims of the token that is sent to an app's blocking function, under Firebase's names.
struct BlockingEvent {
  let event: SignInHookEvent
  let functionURI: String
  let now: Timestamp

  private static let lifetime: Int64 = 300

  var claims: JSONValue {
    let seconds = now.milliseconds / 1000
    var claims: [String: JSONValue] = [
      "iss": .string("https://securetoken.google.com/\(event.scope.project)"),
      "aud": .string(functionURI),
      "iat": .integer(seconds),
      "exp": .integer(seconds + Self.lifetime),
      "event_id": .string(UUID().uuidString),
      "event_type": .string(event.kind.rawValue),
      "sub": .string(event.account.id.rawValue),
      "sign_in_method": .string(signInMethod),
      "user_record": userRecord,
    ]
    claims["user_agent"] = event.client.userAgent.map(JSONValue.string)
    claims["ip_address"] = event.client.address.map(JSONValue.string)
    claims["locale"] = event.client.locale.map(JSONValue.string)
    claims["tenant_id"] = event.scope.tenant.map(JSONValue.string)
    claims["sign_in_second_factor"] = event.secondFactor.map { .string($0.kind) }
    claims["raw_user_info"] = userInfo.map(JSONValue.string)
    let attributes = event.client.statements.attributes
    if attributes != .null { claims["sign_in_attributes"] = attributes }
    return .object(claims.merging(forwarded) { own, _ in own })
  }

  /// The person's profile at the vendor: the one that the app gets too, or else the claims that were kept.
  private var userInfo: String? {
    if let profile = event.client.statements.profile { return profile }
    guard case .object = event.claims else { return nil }
    return event.claims.text
  }

  /// The vendor's credentials that the project's settings forward.
  private var forwarded: [String: JSONValue] {
    let (functions, credentials) = (event.functions, event.client.credentials)
    var forwarded: [String: JSONValue] = [:]
    if functions.forwardsIDToken {
      forwarded["oauth_id_token"] = credentials.idToken.map(JSONValue.string)
    }
    if functions.forwardsAccessToken {
      forwarded["oauth_access_token"] = credentials.accessToken.map(JSONValue.string)
      forwarded["oauth_token_secret"] = credentials.tokenSecret.map(JSONValue.string)
    }
    if functions.forwardsRefreshToken {
      forwarded["oauth_refresh_token"] = credentials.refreshToken.map(JSONValue.string)
    }
    return forwarded
  }

  private var signInMethod: String { event.signInMethod }

  private var userRecord: JSONValue {
    let account = event.account
    var record: [String: JSONValue] = [
      "uid": .string(account.id.rawValue),
      "email_verified": .bool(account.emailVerified),
      "disabled": .bool(account.disabled),
      "provider_data": .array(entries),
    ]
    record["email"] = account.email.map { .string($0.text) }
    record["display_name"] = account.displayName.map(JSONValue.string)
    record["photo_url"] = account.photoURL.map(JSONValue.string)
    record["phone_number"] = account.phoneNumber.map { .string($0.text) }
    record["custom_claims"] = account.customClaims.map { .object($0.members) }
    record["tenant_id"] = account.scope.tenant.map(JSONValue.string)
    var metadata: [String: JSONValue] = ["creation_time": .integer(account.createdAt.milliseconds)]
    metadata["last_sign_in_time"] = account.lastSignInAt.map { .integer($0.milliseconds) }
    record["metadata"] = .object(metadata)
    if !account.secondFactors.isEmpty {
      record["multi_factor"] = ["enrolled_factors": .array(account.secondFactors.map(Self.factor))]
    }
    return .object(record)
  }

  /// One entry for each provider; e-mail links count as the password's provider, as for Firebase.
  private var entries: [JSONValue] {
    let identities = event.account.identities
    let hasPassword = identities.contains { $0.provider == .password }
    return identities.filter { !hasPassword || $0.provider != .emailLink }
      .map { Self.entry($0, of: event.account) }
  }

  private static func entry(_ identity: Identity, of account: Account) -> JSONValue {
    let provider = identity.provider == .emailLink ? ProviderID.password : identity.provider
    var entry: [String: JSONValue] = [
      "provider_id": .string(provider.rawValue), "uid": .string(identity.key.subject),
    ]
    entry["email"] = (identity.profile.email ?? account.email?.text).map(JSONValue.string)
    entry["display_name"] = identity.profile.displayName.map(JSONValue.string)
    entry["photo_url"] = identity.profile.photoURL.map(JSONValue.string)
    entry["phone_number"] = identity.profile.phoneNumber.map(JSONValue.string)
    return .object(entry)
  }

  private static func factor(_ factor: SecondFactor) -> JSONValue {
    var entry: [String: JSONValue] = [
      "uid": .string(factor.id), "factor_id": .string(factor.factorID),
    ]
    entry["display_name"] = factor.displayName.map(JSONValue.string)
    entry["enrollment_time"] = factor.enrolledAt.map(JSONValue.string)
    if case .phone(let number) = factor.kind { entry["phone_number"] = .string(number.text) }
    return .object(entry)
  }
}
