import AuthCore
import FakeVendors
import LuaPlugins
import PluginKit
import Testing

/// The vendors of shipped plug-ins, as `authgraph idp --plugin` plays them.
@Suite struct `Played vendors of plug-ins` {
  private let people = [
    FakePerson(subject: "1001", email: "cy@example.com", name: "Cy Twombly"),
    FakePerson(subject: "1002", email: nil, emailVerified: nil, name: "Bo Diddley"),
  ]

  /// The plug-ins whose vendor needs more than an authorization page, tokens and a profile.
  private let unplayable = [
    "cognito": "its ID tokens say token_use",
    "discourse": "the forum signs its answers with a shared secret",
    "line.me": "the ID tokens of codes are signed with the channel's secret",
    "microsoft.com": "its subjects are the claims tid and oid of the ID token",
    "salesforce.com": "its subjects are addresses of an organization's people",
    "slack.com": "its subjects are claims of the ID token of its own",
    "steam": "OpenID 2.0 has no codes",
    "telegram": "its subject is the claim id of the ID token",
    "vk.com": "its callback names a device",
  ]

  @Test func `the printed settings of every shipped plug-in are accepted`() async throws {
    var refusals: [String] = []
    for file in try FaultyFile.lua(in: FaultyFile.plugins) {
      let played = try await PlayedPlugin(PluginSource(path: file))
      do {
        try await played.configure()
      } catch {
        refusals.append("\(played.declaration.id): \(error)")
      }
      try await played.stop()
    }
    #expect(refusals == [])
  }

  @Test func `shipped plug-ins sign in at their played vendor`() async throws {
    var failures: [String: String] = [:]
    for file in try FaultyFile.lua(in: FaultyFile.plugins) {
      let played = try await PlayedPlugin(PluginSource(path: file), people: people)
      do {
        try await played.configure()
        _ = try await played.signIn(as: "1001")
      } catch {
        failures[played.declaration.id.rawValue] = "\(error)"
      }
      try await played.stop()
    }
    let words = failures.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    #expect(failures.keys.sorted() == unplayable.keys.sorted(), "\(words.joined(separator: "\n"))")
  }

  @Test(arguments: ["shopify.com", "strava.com", "zoom.com", "yandex.com", "discord.com"])
  func `names in parts and single ones are the played person's`(_ name: String) async throws {
    let played = try await PlayedPlugin.shipped(name, people: people)
    try await played.configure()

    let account = try await played.signIn(as: "1001")
    let other = try await played.signIn(as: "1002")

    #expect(account.displayName == "Cy Twombly")
    #expect(other.displayName == "Bo Diddley" && other.email == nil)
    try await played.stop()
  }

  @Test func `the issuer of the callback is the one that a setting's default declares`()
    async throws
  {
    let person = FakePerson(subject: "https://login.salesforce.com/id/00D5/0055", name: "Cy")
    let played = try await PlayedPlugin.shipped("salesforce.com", people: [person])
    try await played.configure()
    let name = URLText.escaped(person.subject)

    let callback = try await played.callback(as: name)
    let account = try await played.signIn(as: name)

    #expect(callback["iss"] == "https://login.salesforce.com")
    #expect(account.displayName == "Cy")
    #expect(
      played.vendor.overview.consoleLine.contains("servers = { [\"login.salesforce.com\"] = "))
    try await played.stop()
  }

  @Test func `a custom plug-in without a client is set up with what it needs`() async throws {
    let played = try await PlayedPlugin.shipped("steam")
    let line = played.vendor.overview.consoleLine

    #expect(!line.contains("clientID") && !line.contains("clientSecret"), "\(line)")
    #expect(line.contains("returnAddresses = { \"https://app.example.com/callback\" }"), "\(line)")
    #expect(!line.contains("webAPIKey"), "\(line)")
    try await played.stop()
  }
}
