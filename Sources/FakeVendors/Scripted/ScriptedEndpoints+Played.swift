import AuthCore

extension ScriptedEndpoints {
  /// Answers a request at a path of the played vendor; nil for any other path.
  func answer(_ request: VendorRequest, as vendor: PlayedVendor) -> VendorResponse? {
    if vendor.authorize.contains(where: { PlayedVendor.matches($0, request.path) }) {
      return signInPage(authorization(of: request))
    }
    if let answer = vendor.token.first(where: { PlayedVendor.matches($0.path, request.path) }) {
      return tokens(for: request, answer)
    }
    if let answer = vendor.described.first(where: { PlayedVendor.matches($0.path, request.path) }) {
      return description(for: request, answer)
    }
    if vendor.revoke.contains(where: { PlayedVendor.matches($0, request.path) }) {
      for value in request.allValues { records.revoke(value) }
      return .json([:])
    }
    if vendor.keys.contains(where: { PlayedVendor.matches($0, request.path) }) {
      return keySet(maximumAge: 3600)
    }
    return nil
  }

  /// The authorization request in the standard's names, whatever the vendor calls the app.
  private func authorization(of request: VendorRequest) -> VendorRequest {
    let clients = records.with { $0.clients.map(\.id) }
    var fields = request.query.fields.map { (name: $0.name, value: $0.value) }
    func add(_ name: String, _ value: String?) {
      guard request.query[name] == nil, let value else { return }
      fields.append((name, value))
    }
    add("client_id", fields.first { clients.contains($0.value) }?.value)
    add("redirect_uri", fields.first { $0.name.contains("redirect") }?.value)
    add("response_type", "code")
    if request.query["code_challenge"] != nil { add("code_challenge_method", "S256") }
    return VendorRequest(
      "GET", URLText.adding(fields, to: "/authorize"), headers: request.headers.fields)
  }

  private func tokens(
    for request: VendorRequest, _ answer: PlayedVendor.Answer
  ) -> VendorResponse {
    let response = standard.token(
      tokenRequest(request), allowing: Set(FakeClient.Authentication.allCases),
      givesIDToken: { $0.scopes.contains("openid") })
    guard response.status == 200, let template = answer.json,
      case .object(let members)? = try? JSONValue(
        text: String(decoding: response.body, as: UTF8.self)),
      let grant = records.grant(ofAccessToken: members["access_token"]?.stringValue)
    else { return response }
    let person = records.person(of: grant)
    let values = Placeholders.playedValues(of: person).merging(members) { $1 }
      .merging(["client_id": .string(grant.clientID)]) { $1 }
    return .json(Placeholders.fill(template, with: values).withoutNulls)
  }

  /// The token request as the standard's form: each value is recognised by what it is, not by its name.
  private func tokenRequest(_ request: VendorRequest) -> VendorRequest {
    let named = request.namedValues
    let values = named.map(\.value)
    let known = records.with { contents in
      (
        code: values.first { contents.codes[$0] != nil || contents.usedCodes[$0] != nil },
        refresh: values.first { contents.refreshTokens[$0] != nil },
        client: contents.clients.first { values.contains($0.id) },
        grant: values.compactMap { contents.codes[$0] }.first
      )
    }
    var form: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) { if let value { form.append((name, value)) } }
    func given(_ part: String) -> String? {
      named.first { $0.name.lowercased().contains(part) }?.value
    }
    if let refresh = known.refresh {
      add("grant_type", "refresh_token")
      add("refresh_token", refresh)
    } else {
      add("grant_type", "authorization_code")
      add("code", known.code ?? given("code"))
      add("redirect_uri", given("redirect") ?? known.grant?.redirectURI)
      add("code_verifier", given("verifier"))
    }
    let basic = request.basicCredentials
    add("client_id", basic?.name ?? known.client?.id ?? given("client"))
    add(
      "client_secret",
      basic?.secret ?? known.client?.secret.flatMap { secret in
        values.first { $0 == secret }
      } ?? given("secret"))
    return VendorRequest(
      "POST", "/token",
      headers: [RequestFields.Field("Content-Type", "application/x-www-form-urlencoded")],
      body: Array(URLText.form(form).utf8))
  }

  private func description(
    for request: VendorRequest, _ answer: PlayedVendor.Answer
  ) -> VendorResponse {
    let tokens = request.allValues
    guard let token = tokens.first(where: { records.grant(ofAccessToken: $0) != nil }),
      let grant = records.grant(ofAccessToken: token)
    else { return .json(["error": "invalid_token"], status: 401) }
    let person = records.misbehavior.profilePerson ?? records.person(of: grant)
    let app = JSONValue.string(grant.clientID)
    let usual: JSONValue = [
      "active": true, "client_id": app, "aud": app, "app_id": app, "sub": .string(person.subject),
      "user_id": .string(person.subject),
    ]
    let values = Placeholders.playedValues(of: person).merging([
      "client_id": app, "access_token": .string(token),
    ]) { $1 }
    return .json(answer.json.map { Placeholders.fill($0, with: values) } ?? usual)
  }
}

extension VendorRequest {
  /// The fields of the query, the form and the JSON body.
  fileprivate var namedValues: [(name: String, value: String)] {
    var named = (query.fields + form.fields).map { (name: $0.name, value: $0.value) }
    if case .object(let members)? = json {
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        if let text = value.stringValue { named.append((name, text)) }
      }
    }
    return named
  }

  /// Every value that may be a token: fields, the words of the header `Authorization`, and segments of the path.
  fileprivate var allValues: [String] {
    let words = headers["authorization"]?.split(separator: " ").map(String.init) ?? []
    let others = headers.fields.filter { $0.name.contains("token") }.map(\.value)
    return namedValues.map(\.value) + words + others + path.split(separator: "/").map(String.init)
  }
}

extension JSONValue {
  /// The object without members that are null, such as a token that was not given.
  fileprivate var withoutNulls: JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.value != .null }.mapValues(\.withoutNulls))
  }
}
