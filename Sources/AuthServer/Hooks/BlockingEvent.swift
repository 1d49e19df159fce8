import AuthCore
import Foundation

/// The claims of the token that a blocking function of the app's is sent; Firebase's names.
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
    if case .object = event.claims { claims["raw_user_info"] = .string(event.claims.text) }
    return .object(claims)
  }

  private var signInMethod: String { event.signInMethod }

  private var userRecord: JSONValue {
    let account = event.account
    var record: [String: JSONValue] = [
      "uid": .string(account.id.rawValue),
      "email_verified": .bool(account.emailVerified),
      "disabled": .bool(account.disabled),
      "provider_data": .array(account.identities.map { Self.entry($0, of: account) }),
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

  private static func entry(_ identity: Identity, of account: Account) -> JSONValue {
    var entry: [String: JSONValue] = [
      "provider_id": .string(identity.provider.rawValue), "uid": .string(identity.key.subject),
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
