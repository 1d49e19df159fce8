import AuthCore

extension Fixture.Scenario {
  /// The scenario with its signed parts in place of their placeholders; throws `invalid-argument` naming the field.
  func sealed(
    _ settings: [String: JSONValue], now: Timestamp, file: String
  ) throws(AuthError) -> Fixture.Scenario {
    let sealer = Sealer(
      seals: seals, credential: credential, settings: settings, now: now, file: file,
      scenario: name)
    var sealed = self
    sealed.credential = try sealer.filled(credential)
    if let idToken, case .object(let claims) = try sealer.filled(JSONValue.object(idToken)) {
      sealed.idToken = claims
    }
    for index in exchanges.indices {
      sealed.exchanges[index] = try exchanges[index].sealed(by: sealer)
    }
    return sealed
  }
}

extension Fixture.Exchange {
  fileprivate func sealed(by sealer: Sealer) throws(AuthError) -> Fixture.Exchange {
    var sealed = self
    sealed.request.url = try sealer.filled(request.url)
    sealed.request.query = try sealer.filled(request.query)
    sealed.request.headers = try sealer.filled(request.headers)
    sealed.request.form = try sealer.filled(request.form)
    if case .object(let members) = try sealer.filled(JSONValue.object(request.json)) {
      sealed.request.json = members
    }
    switch response.body {
    case .none: break
    case .json(let json): sealed.response.body = .json(try sealer.filled(json))
    case .text(let text): sealed.response.body = .text(try sealer.filled(text))
    case .base64(let text): sealed.response.body = .base64(try sealer.filled(text))
    }
    return sealed
  }
}
