import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import TestSupport

extension ProviderHome {
  static let redirectURI = "https://shop.example/callback"

  /// Gets a genuine, unused credential.
  func credential(
    _ way: Way, for person: FakePerson, hostile: HostileToken? = nil
  ) async throws -> Credential {
    switch way {
    case .googleIDToken, .facebookLimitedLogin, .appleIDToken, .oidcIDToken, .acmeIDToken,
      .scriptIDToken:
      try idTokenCredential(way, person, hostile: hostile)
    case .googleAccessToken, .facebookAccessToken, .plainAccessToken:
      try make(
        way,
        ["accessToken": vendors[try way.vendor.unwrapped("vendor")].accessToken(for: person)])
    case .googleCode, .facebookCode, .appleCode, .oidcCode, .acmeCode, .scriptCode, .plainCode:
      try await code(way, person)
    case .gameCenterPlayer: try make(way, try vendors.gameCenter.signature(for: person).fields)
    case .playGamesCode:
      try make(way, ["serverAuthCode": vendors.playGames.serverAuthCode(for: person)])
    case .phone: try await phoneCode(for: person)
    case .emailLink: try await link(for: person)
    case .password:
      try make(way, ["email": person.address.text, "password": person.password])
    case .custom: try make(way, ["token": try customToken(person)])
    case .anonymous: try make(way, [:])
    }
  }

  /// Signs a person in for the first time: a password signs up.
  func open(_ way: Way, for person: FakePerson) async throws -> SignInResult {
    let credential = try await credential(way, for: person)
    return way == .password
      ? try await graph.signUp(credential, by: anyone) : try await signIn(credential)
  }

  /// The stored account that a first sign-in opens.
  func opened(_ way: Way, for person: FakePerson) async throws -> Account {
    try await account(try await open(way, for: person).account.id)
  }

  /// Makes a credential with the way's own builder.
  func make(_ way: Way, _ fields: [String: String]) throws -> Credential {
    let builder = try graph.providers.provider(way.provider).manifest.builders
      .first { $0.name == way.builder }.unwrapped("builder \(way)")
    return try builder.credential(for: way.provider, fields)
  }

  /// A credential of the vendor's ID token, each with its own nonce.
  func idTokenCredential(
    _ way: Way, _ person: FakePerson, claims: [String: JSONValue] = [:],
    hostile: HostileToken? = nil, nonce: String? = nil
  ) throws -> Credential {
    let vendor = vendors[try way.vendor.unwrapped("vendor of \(way)")]
    let nonce = nonce ?? "nonce-\(next())"
    let token = try vendor.idToken(for: person, nonce: nonce, claims: claims, hostile: hostile)
    return try make(way, ["idToken": token, "nonce": nonce])
  }

  /// Requests a phone's code.
  func phoneCode(
    for person: FakePerson, account: AccountID? = nil, by caller: Caller? = nil
  ) async throws -> Credential {
    let number = try person.phoneNumber.text
    let challenge = try await graph.sendChallenge(
      .phone, ChallengeRequest(recipient: number, account: account), by: caller ?? anyone)
    let code = try messages.last(to: number).unwrapped("message").proof.reveal()
    return try make(
      .phone, ["verificationID": challenge.verificationID, "verificationCode": code])
  }

  /// Requests a link in a mailbox.
  func link(
    for person: FakePerson, account: AccountID? = nil, by caller: Caller? = nil
  ) async throws -> Credential {
    let email = try person.address
    _ = try await graph.sendChallenge(
      .emailLink,
      ChallengeRequest(
        recipient: email.text, account: account, requestedFrom: "192.0.2.7 (Berlin)"),
      by: caller ?? anyone)
    let link = try messages.last(to: email.canonical).unwrapped("message").proof.reveal()
    return try make(.emailLink, ["email": email.text, "link": link])
  }

  private func customToken(_ person: FakePerson) throws -> String {
    try customIssuer.token(for: person.uid, now: clock.now).reveal()
  }
}

/// A sign-in at a vendor that came back and is not finished yet.
struct Callback: Sendable {
  let vendor: Vendor
  let session: String
  var fields: [String: String]
}

extension ProviderHome {
  /// Goes to a vendor and comes back, in one browser.
  func comeBack(
    from vendor: Vendor, as person: FakePerson, session: String = "browser-1",
    linkingTo account: AccountID? = nil, by caller: Caller? = nil
  ) async throws -> Callback {
    let begun = try await graph.beginAuthorization(
      vendor.provider, redirectURI: Self.redirectURI, session: session, account: account,
      by: caller ?? anyone)
    let answer = try await vendors[vendor].authorize(begun.url, as: person)
    return Callback(vendor: vendor, session: session, fields: answer.parameters)
  }

  func finish(
    _ callback: Callback, at vendor: Vendor? = nil, session: String? = nil, by caller: Caller? = nil
  ) async throws -> AuthorizedCredential {
    try await graph.finishAuthorization(
      (vendor ?? callback.vendor).provider, callback: callback.fields,
      redirectURI: Self.redirectURI, session: session ?? callback.session, by: caller ?? anyone)
  }

  private func code(_ way: Way, _ person: FakePerson) async throws -> Credential {
    let callback = try await comeBack(from: try way.vendor.unwrapped("vendor"), as: person)
    return try await finish(callback).credential
  }
}
