import AuthTesting
import Testing

@testable import AuthCore

/// The effect of a provider's data on an existing profile.
@Suite struct `Profile on sign-in` {
  private static let texts: [String?] = [nil, "", "  ", "Own"]

  @Test(arguments: ProfileOnSignIn.allCases, texts)
  func `F11: a field that a provider leaves out changes nothing`(
    _ setting: ProfileOnSignIn, _ own: String?
  ) {
    for provided in [nil, "", " \n\u{A0}"] {
      for wasKnown in [true, false] {
        #expect(setting.value(own, provided: provided, wasKnown: wasKnown) == own)
      }
    }
  }

  @Test func `F11: fill fills an empty field, follow replaces, keep keeps`() {
    let rows: [(own: String?, wasKnown: Bool, fill: String?, follow: String?, keep: String?)] = [
      (nil, false, "New", "New", nil), ("", false, "New", "New", ""),
      (nil, true, nil, "New", nil), ("Own", false, "Own", "New", "Own"),
      ("Own", true, "Own", "New", "Own"),
    ]
    for row in rows {
      func value(_ setting: ProfileOnSignIn) -> String? {
        setting.value(row.own, provided: "New", wasKnown: row.wasKnown)
      }
      #expect(value(.fill) == row.fill)
      #expect(value(.follow) == row.follow)
      #expect(value(.keep) == row.keep)
    }
  }

  private func home(_ setting: ProfileOnSignIn) async throws -> TestHome {
    let home = TestHome()
    try await home.trust(TestHome.other)
    try await home.trust(TestHome.fake)
    _ = try await home.graph.changeSettings(by: home.admin) { $0.profileOnSignIn = setting }
    return home
  }

  @Test(arguments: ProfileOnSignIn.allCases)
  func `F11: a second provider without a name leaves name and photo`(
    _ setting: ProfileOnSignIn
  ) async throws {
    let home = try await home(setting)
    let ada = try await home.bring("ada") {
      $0.email = try EmailAddress("ada@example.com")
      $0.emailVerified = true
      $0.displayName = "Chosen"
      $0.photoURL = "https://people.example/ada.png"
      $0.details.screenName = "@chosen"
      $0.details.language = "de"
      $0.details.dateOfBirth = "1815-12-10"
    }

    for subject in ["9", "9"] {
      let credential = try home.vendor(subject, email: "ada@example.com", verified: true)
      let account = try await home.signIn(credential).account
      #expect(account.id == ada.id)
      #expect(account.displayName == "Chosen" && account.photoURL == ada.photoURL)
      var details = account.details
      details.lastRefreshAt = ada.details.lastRefreshAt
      #expect(details == ada.details)
      home.clock.advance(seconds: 60)
    }
  }

  @Test(arguments: ProfileOnSignIn.allCases)
  func `F11: a second provider with a name fills, follows or keeps`(
    _ setting: ProfileOnSignIn
  ) async throws {
    let home = try await home(setting)
    _ = try await home.bring("ada") {
      $0.email = try EmailAddress("ada@example.com")
      $0.emailVerified = true
      $0.displayName = "Chosen"
    }
    let credential = try home.vendor(
      "9", email: "ada@example.com", verified: true, name: "Countess")

    let account = try await home.signIn(credential).account

    #expect(account.displayName == (setting == .follow ? "Countess" : "Chosen"))
    #expect(account.details.screenName == (setting == .keep ? nil : "@Countess"))
    #expect(account.details.language == (setting == .keep ? nil : "en"))
    #expect(account.details.dateOfBirth == (setting == .keep ? nil : "1815-12-10"))
  }

  @Test(arguments: ProfileOnSignIn.allCases)
  func `F11: a linked provider that has a name at last fills an empty one`(
    _ setting: ProfileOnSignIn
  ) async throws {
    let home = try await home(setting)
    let first = try await home.signIn(
      home.vendor("9", email: "ada@example.com", verified: true)
    ).account
    #expect(first.displayName == nil)

    let again = try await home.signIn(
      home.vendor("9", email: "ada@example.com", verified: true, name: "Ada")
    ).account

    #expect(again.displayName == (setting == .keep ? nil : "Ada"))
  }

  @Test(arguments: ProfileOnSignIn.allCases)
  func `F11: a name that its person cleared is not filled again, unless profiles follow`(
    _ setting: ProfileOnSignIn
  ) async throws {
    let home = try await home(setting)
    let credential = { try home.vendor("9", email: "ada@example.com", verified: true, name: "Ada") }
    let ada = try await home.signIn(credential()).account
    #expect(ada.displayName == "Ada")
    try await home.update(ada.id) { $0.displayName = .clear }

    let again = try await home.signIn(credential()).account
    // Another provider by the same address does not bring it back either.
    let other = try await home.signIn(
      home.vendor(
        "1", email: "ada@example.com", verified: true, name: "Countess", provider: TestHome.fake)
    ).account

    #expect(again.displayName == (setting == .follow ? "Ada" : nil))
    #expect(other.id == ada.id)
    #expect(other.displayName == (setting == .follow ? "Countess" : nil))
  }

  @Test(arguments: ProfileOnSignIn.allCases)
  func `F11: a link by the signed-in person changes a profile only if it follows`(
    _ setting: ProfileOnSignIn
  ) async throws {
    let home = try await home(setting)
    let ada = try await home.bring("ada") { $0.displayName = "Chosen" }

    _ = try await home.graph.link(
      home.vendor("9", email: nil, name: "Countess"), to: ada.id, by: home.session(ada.id))

    let linked = try await home.account(ada.id)
    #expect(linked.displayName == (setting == .follow ? "Countess" : "Chosen"))
    #expect(linked.details.screenName == (setting == .follow ? "@Countess" : nil))
    #expect(linked.identities.first?.profile.displayName == "Countess")
  }

  @Test(arguments: ProfileOnSignIn.allCases)
  func `F11: an admin's assertion is no word of the provider's`(
    _ setting: ProfileOnSignIn
  ) async throws {
    let home = try await home(setting)
    let ada = try await home.bring("ada") { $0.displayName = "Chosen" }
    var update = AccountUpdate()
    update.links = [
      AssertedIdentity(
        key: IdentityKey(TestHome.other, subject: "9"),
        profile: IdentityProfile(displayName: "Countess"))
    ]

    _ = try await home.graph.update(ada.id, update, by: home.admin)

    #expect(try await home.account(ada.id).displayName == "Chosen")
  }

  @Test(arguments: ProfileOnSignIn.allCases)
  func `F11: a take-over brings its own name and removes the squatter's profile`(
    _ setting: ProfileOnSignIn
  ) async throws {
    let home = try await home(setting)
    let squatted = try await home.bring("ada") {
      $0.email = try EmailAddress("ada@example.com")
      $0.displayName = "Squatter"
      $0.photoURL = "https://evil.example/"
    }

    let account = try await home.signIn(
      home.vendor("9", email: "ada@example.com", verified: true, name: "Ada")
    ).account

    #expect(account.id == squatted.id)
    #expect(account.displayName == "Ada" && account.photoURL == nil)
  }

  @Test func `F11: a setting is kept, shown as a difference, and fill if it is not stored`() throws
  {
    var settings = ProjectSettings()
    #expect(settings.profileOnSignIn == .fill)
    let before = settings
    settings.profileOnSignIn = .keep

    let text = try JSONText.encode(settings)
    let older = try JSONText.encode(before).replacing(#","profileOnSignIn":"fill""#, with: "")

    #expect(try JSONText.decode(ProjectSettings.self, text) == settings)
    #expect(try JSONText.decode(ProjectSettings.self, older).profileOnSignIn == .fill)
    #expect(
      settings.differences(from: before) == ["profileOnSignIn": ["from": "fill", "to": "keep"]])
  }
}
