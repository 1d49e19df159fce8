import AuthTesting
import Foundation
import Testing

@testable import AuthCore

/// A setting is a property and a line in a list; these tests find a setting without a line.
@Suite struct `The list of settings` {
  private static let leaves = ProjectSettings.settings.flatMap(\.leaves)

  /// The settings whose changes have a special form in the audit.
  private static let toldOtherwise = [
    "trust": "each provider by its name", "mergePolicy": "by its name, also if its text changes",
    "policyLevel": "of a policy that advises", "policyTrial": "by its name, version and share",
    "policyVersions": "of the engine",
    "providers": "the names of changed fields alone, since some are secret",
    "passwordHashParameters": "the names of new ones alone, since they hold a key",
    "subjects": "of the engine", "keyProbe": "of the engine",
    "keptMembers": "each member by its name", "rekeys": "told by the rekey's event",
    "signIn.blockingFunctions.script": "by its name and length",
    "signIn.blockingFunctions.functionURIs": "each function by its event",
    "signIn.multiFactor.statedState": "no effect",
    "signIn.multiFactor.statedProviders": "no effect",
  ]

  /// The settings that a new tenant does not inherit.
  private static let notInherited = [
    "providers": "secrets are sealed for the project", "passwordHashParameters": "of its accounts",
    "subjects": "of its accounts", "keyProbe": "sealed for the project",
    "rekeys": "of its accounts", "policyTrial": "of its conflicts",
    "policyVersions": "each tenant has a history of its own",
    "keptMembers": "each tenant has its own", "signIn.displayName": "each tenant has its own",
    "signIn.passwordMigration": "the old system is set up for the project",
  ]

  private func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decoded(_ text: String) throws -> ProjectSettings {
    try JSONDecoder().decode(ProjectSettings.self, from: Data(text.utf8))
  }

  /// Returns settings that all differ from the defaults.
  private func full() throws -> ProjectSettings {
    var settings = try ProjectSettings.others()
    settings.trust = TrustPolicy(extents: [.google: .always, .apple: .domains(["a.example"])])
    settings.mergePolicy = PolicySource(name: "p.lua", text: "return {}\n\"/\u{1}")
    settings.policyLevel = .advise
    let version = PolicyVersionID(number: 3, digest: "abc")
    settings.policyTrial = PolicyTrial(
      source: PolicySource(name: "q.lua", text: "--"), version: version, pairs: PairShare(0.25))
    settings.policyVersions = PolicyVersions(last: 3, inUse: version)
    settings.passwordHashParameters = ["scrypt": "{\"rounds\":8}"]
    settings.providers = ["google.com": ProviderConfiguration(values: ["b": [1, "x"], "a": true])]
    settings.providers["google.com"]?.setup = "e1"
    settings.subjects = [
      "oidc.a": ProviderSubjects(values: ["issuer": "i"], since: Timestamp(milliseconds: 5))
    ]
    settings.keyProbe = "sealed"
    settings.keptMembers = #"{"quota":{}}"#
    settings.rekeys = [
      "r": Rekey(
        id: "r", from: IdentitySource(.google), to: IdentitySource(.apple), keepsSubjects: true,
        window: 5, plannedBy: "ada")
    ]
    settings.signIn.blockingFunctions.script = PolicySource(name: "h.lua", text: "--")
    return settings
  }

  private func names(of record: Any) -> Set<String> {
    Set(Mirror(reflecting: record).children.compactMap(\.label))
  }

  @Test func `every stored property has a line`() throws {
    let settings = try full()
    #expect(names(of: settings) == Set(ProjectSettings.fields.names))
    #expect(names(of: settings.signIn) == Set(SignInSettings.fields.names))
    #expect(names(of: settings.console) == Set(ConsoleSettings.fields.names))
    #expect(names(of: settings.signIn.multiFactor) == Set(MultiFactorSettings.fields.names))
    #expect(names(of: settings.signIn.passwordPolicy) == Set(PasswordPolicy.fields.names))
    #expect(names(of: settings.signIn.blockingFunctions) == Set(BlockingFunctions.fields.names))
    #expect(names(of: PolicySource(name: "", text: "")) == Set(PolicySource.fields.names))
    let trial = try #require(settings.policyTrial)
    #expect(names(of: trial) == Set(PolicyTrial.fields.names))
    #expect(names(of: trial.version) == Set(PolicyVersionID.fields.names))
    #expect(names(of: PolicyVersions()) == Set(PolicyVersions.fields.names))
  }

  @Test func `stored JSON equals an encoder's, and comes back`() throws {
    for settings in [ProjectSettings(), try full()] {
      #expect(try settings.json == encoded(settings))
      #expect(try decoded(settings.json) == settings)
    }
    #expect(
      ProjectSettings().json
        == #"{"allowsUnlinkingLastMethod":false,"#
        + #""console":{"asksReason":false,"recordsSessions":false,"rehearses":false},"#
        + #""decisionRetentionDays":30,"deletionRetentionDays":30,"eventRetentionDays":400,"#
        + #""identitiesPerProvider":"one","mergeRetentionDays":30,"oneAccountPerEmail":true,"#
        + #""passwordHashParameters":{},"profileOnSignIn":"fill","providers":{},"#
        + #""recentLoginSeconds":300,"rekeys":{},"sessionRetentionDays":0,"#
        + #""signIn":{"allowsDeletion":true,"allowsSignUp":true,"authorizedDomains":[],"#
        + #""blockingFunctions":{"forwardsAccessToken":false,"forwardsIDToken":false,"#
        + #""forwardsRefreshToken":false,"functionURIs":{}},"closedProviders":[],"#
        + #""hidesAccounts":true,"isDisabled":false,"linkDomains":[],"#
        + #""multiFactor":{"allowsPhone":true,"allowsTOTP":true,"state":"ENABLED"},"#
        + #""passwordPolicy":{"appliesToSignIn":false,"enforcement":"OFF","maximumLength":4096,"#
        + #""minimumLength":6,"needsDigit":false,"needsLowercase":false,"needsSymbol":false,"#
        + #""needsUppercase":false}},"subjects":{},"totpDriftSteps":1,"#
        + #""trust":{"extents":{"apple.com":{"always":{}},"emailLink":{"always":{}},"#
        + #""google.com":{"domains":{"_0":["gmail.com","googlemail.com"]}},"#
        + #""microsoft.com":{"domains":{"_0":["outlook.com","hotmail.com"]}},"#
        + #""yahoo.com":{"domains":{"_0":["yahoo.com"]}}}}}"#)
  }

  @Test func `a field that an earlier version left out has its default`() throws {
    #expect(try decoded("{}") == ProjectSettings())
    #expect(try decoded(#"{"signIn":{"passwordPolicy":{},"gone":1}}"#) == ProjectSettings())
    let older = try decoded(#"{"signIn":{"multiFactor":{"state":"MANDATORY"}},"keyProbe":null}"#)
    #expect(older == ProjectSettings())
    #expect(throws: DecodingError.self) { try decoded(#"{"recentLoginSeconds":"x"}"#) }
  }

  @Test func `the audit tells every change`() throws {
    let old = ProjectSettings()
    for leaf in Self.leaves where Self.toldOtherwise[leaf.path] == nil {
      var new = old
      let value = try #require(leaf.otherValue(than: old), "\(leaf.path)")
      try leaf.set(value, in: &new)
      let changes = new.differences(from: old)
      #expect(Set(changes.keys) == [leaf.path])
      #expect(changes[leaf.path]?["to"] != changes[leaf.path]?["from"], "\(leaf.path)")
      #expect(old.differences(from: new)[leaf.path]?["to"] == changes[leaf.path]?["from"])
    }
    let full = try full().differences(from: old)
    #expect(full["signIn.allowsSignUp"] == ["from": "true", "to": "false"])
    #expect(full["signIn.authorizedDomains"] == ["from": "", "to": "app.example, localhost"])
    #expect(full["signIn.displayName"] == ["from": .null, "to": "Another"])
    #expect(
      full["signIn.blockingFunctions.beforeCreate"]
        == ["from": .null, "to": "https://functions.example/beforeCreate"])
    #expect(full["signIn.blockingFunctions.script"] == ["from": .null, "to": "h.lua (2 bytes)"])
    #expect(full["mergePolicy"] == ["from": .null, "to": "p.lua"])
    #expect(full["policyLevel"] == ["from": "decide", "to": "advise"])
    #expect(
      full["policyTrial"] == ["from": .null, "to": "q.lua (version 3, canary of 0.25)"])
    #expect(full["policyVersions"] == nil)
    #expect(full["trust apple.com"] == ["from": "always", "to": "for a.example"])
    #expect(full["provider google.com"] == ["a", "b"])
    #expect(full["passwordHashParameters"] == ["scrypt"])
    #expect(full["keyProbe"] == nil && full["rekeys"] == nil && full["subjects"] == nil)
  }

  @Test func `a new tenant has every setting that is not its project's own`() throws {
    let (project, usual) = (try full(), ProjectSettings())
    let tenant = project.inheritedByTenants
    for leaf in Self.leaves {
      let changes = Set(leaf.differences(from: usual, to: tenant).keys)
      let told = Set(leaf.differences(from: usual, to: project).keys)
      let isOwn = Self.notInherited[leaf.path] != nil
      #expect(isOwn == !leaf.isInherited, "\(leaf.path)")
      #expect(changes == (isOwn ? [] : told), "\(leaf.path)")
    }
    #expect(tenant.providers.isEmpty && tenant.keyProbe == nil && tenant.rekeys.isEmpty)
    #expect(tenant.subjects.isEmpty && tenant.passwordHashParameters.isEmpty)
    #expect(tenant.signIn.blockingFunctions == project.signIn.blockingFunctions)
  }

  @Test func `the error of an impossible value names the setting`() throws {
    let wrong: [(String, JSONValue)] = [
      ("recentLoginSeconds", 0), ("totpDriftSteps", .number(1.5)), ("eventRetentionDays", 29),
      ("identitiesPerProvider", "two"), ("signIn.allowsSignUp", "yes"),
      ("signIn.passwordPolicy.minimumLength", 5), ("signIn.displayName", " "),
      ("signIn.authorizedDomains", ["https://app.example"]), ("signIn.closedProviders", [""]),
      ("signIn.authorizedDomains", ["app.example:8080"]), ("trust", [:]),
      ("signIn.blockingFunctions.beforeCreate", "/create"),
      ("signIn.blockingFunctions.script", "none"),
    ]
    for (path, value) in wrong {
      let leaf = try #require(Self.leaves.first { $0.path == path })
      var settings = ProjectSettings()
      let error = #expect(throws: AuthError.self) { try leaf.set(value, in: &settings) }
      #expect(error?.field == path && error?.remedy != nil, "\(path)")
      #expect(settings == ProjectSettings())
    }
    var settings = ProjectSettings()
    settings.signIn.passwordPolicy.minimumLength = 12
    settings.signIn.passwordPolicy.maximumLength = 8
    let error = #expect(throws: AuthError.self) { try settings.checkTogether() }
    #expect(error?.field == "signIn.passwordPolicy.maximumLength")
  }
}
