import AuthCore

/// A refresh token of Firebase's emulator: it describes its session itself and is not signed.
struct EmulatorRefreshToken {
  static let marker = "DO NOT MODIFY"

  let account: AccountID
  let provider: ProviderID
  let project: String
  let tenant: String?
  let secondFactor: SessionGrant.Factor?
  /// The session's own claims, or null.
  let claims: JSONValue
  /// The session's beginning in seconds since 1970, if it differs from the account's last sign-in.
  ///
  /// The emulator has no such field.
  let authTime: Int64?

  init(
    account: Account, provider: ProviderID, secondFactor: SessionGrant.Factor?, claims: JSONValue,
    authTime: Int64?
  ) {
    self.authTime = authTime
    self.account = account.id
    self.provider = provider
    self.secondFactor = secondFactor
    self.claims = claims
    project = account.scope.project
    tenant = account.scope.tenant
  }

  /// Reads a token; nil if it does not have the form.
  ///
  /// Accepts both alphabets of base64, with or without padding, as JavaScript's decoder does.
  init?(_ text: String) {
    guard let bytes = Base64.bytes(lenient: text.utf8),
      let json = try? JSONValue(text: String(decoding: bytes, as: UTF8.self)),
      json["_AuthEmulatorRefreshToken"]?.stringValue == Self.marker,
      let account = json["localId"]?.stringValue, let provider = json["provider"]?.stringValue,
      let project = json["projectId"]?.stringValue
    else { return nil }
    self.account = AccountID(account)
    self.provider = ProviderID(provider)
    self.project = project
    tenant = json["tenantId"]?.stringValue
    authTime = json.moment("authTime")
    if let id = json["secondFactor"]?["identifier"]?.stringValue,
      let kind = json["secondFactor"]?["provider"]?.stringValue
    {
      secondFactor = SessionGrant.Factor(kind: kind, id: id)
    } else {
      secondFactor = nil
    }
    if case .object(let members)? = json["extraClaims"], !members.isEmpty {
      claims = .object(members)
    } else {
      claims = .null
    }
  }

  var text: String { Base64.standard.text(json.utf8) }
}

extension EmulatorRefreshToken: JSONRecord {
  func writeMembers(_ writer: inout JSONWriter) {
    writer.member("_AuthEmulatorRefreshToken", Self.marker)
    writer.member("authTime", authTime)
    writer.member("extraClaims", claims == .null ? .object([:]) : claims)
    writer.member("localId", account.rawValue)
    writer.member("projectId", project)
    writer.member("provider", provider.rawValue)
    if let secondFactor {
      writer.member(
        "secondFactor",
        ["identifier": .string(secondFactor.id), "provider": .string(secondFactor.kind)])
    }
    writer.member("tenantId", tenant)
  }
}
