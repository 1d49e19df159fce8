public import AuthCore

// An admin passes these values and secrets to `AccountGraph.configure`, so that a project's provider uses the fake vendor.

extension FakeGoogle {
  /// The values of `google.com`, with ``FakeClient/web`` as the app.
  public var providerValues: [String: JSONValue] {
    values(
      ["clientIDs": [.string(FakeClient.web.id)]],
      endpoints: [
        "authorize": authorizationURL, "token": tokenURL, "keys": keysURL,
        "tokenInfo": tokenInfoURL, "userInfo": userInfoURL, "revocation": revocationURL,
        "risc": riscURL,
      ])
  }

  /// The secrets of `google.com`, with ``FakeClient/web`` as the app.
  public var providerSecrets: [String: Secret<String>] { ["clientSecret": .ofWebClient] }
}

extension FakeFacebook {
  /// The values of `facebook.com`, with ``FakeClient/web`` as the app.
  public var providerValues: [String: JSONValue] {
    values(
      ["appID": .string(FakeClient.web.id)],
      endpoints: [
        "authorize": authorizationURL, "token": tokenURL, "debugToken": debugTokenURL,
        "me": meURL, "permissions": permissionsURL, "keys": keysURL,
      ])
  }

  /// The secrets of `facebook.com`, with ``FakeClient/web`` as the app.
  public var providerSecrets: [String: Secret<String>] { ["appSecret": .ofWebClient] }
}

extension FakeApple {
  /// The values of `apple.com`, with ``FakeClient/web`` as the app.
  public var providerValues: [String: JSONValue] {
    values(
      [
        "clientIDs": [.string(FakeClient.web.id)], "teamID": .string(teamID),
        "keyID": .string(developerKey.keyID),
      ],
      endpoints: [
        "authorize": authorizationURL, "token": tokenURL, "keys": keysURL,
        "revocation": revocationURL,
      ])
  }

  /// The secrets of `apple.com`: the developer's key.
  public var providerSecrets: [String: Secret<String>] {
    ["privateKey": Secret(developerKey.privateKeyPEM)]
  }
}

extension FakeOIDC {
  /// The values of an OpenID provider, with ``FakeClient/web`` as the app; discovery finds the endpoints.
  public var providerValues: [String: JSONValue] {
    values(["issuer": .string(issuer), "clientID": .string(FakeClient.web.id)])
  }

  /// The secrets of an OpenID provider, with ``FakeClient/web`` as the app.
  public var providerSecrets: [String: Secret<String>] { ["clientSecret": .ofWebClient] }
}

extension FakePlayGames {
  /// The values of `playgames.google.com`, with ``FakeClient/web`` as the game's web client.
  public var providerValues: [String: JSONValue] {
    values(
      [
        "applicationID": .string(Self.applicationID), "clientID": .string(FakeClient.web.id),
      ], endpoints: ["token": tokenURL, "verify": verifyURL, "player": playerURL])
  }

  /// The secrets of `playgames.google.com`, with ``FakeClient/web`` as the game's web client.
  public var providerSecrets: [String: Secret<String>] { ["clientSecret": .ofWebClient] }
}

extension FakeGameCenter {
  /// The values of `gc.apple.com`, with ``bundleID`` as the app.
  public var providerValues: [String: JSONValue] {
    values(["bundleIDs": [.string(Self.bundleID)]], endpoints: ["certificates": server.url])
  }
}

extension FakeVendor {
  /// Adds the vendor's host, which is on this machine, and its endpoints.
  fileprivate func values(
    _ own: [String: JSONValue], endpoints: [String: String] = [:]
  ) -> [String: JSONValue] {
    var values = own
    values["privateHosts"] = [.string(server.host)]
    if !endpoints.isEmpty { values["endpoints"] = .object(endpoints.mapValues { .string($0) }) }
    return values
  }
}

extension Secret<String> {
  fileprivate static var ofWebClient: Secret { Secret(FakeClient.web.secret ?? "") }
}
