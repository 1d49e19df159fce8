import AuthCore
import BuiltInProviders

extension LoadedPlugin {
  /// Calls the plug-in's `profile` function, if there is one, and maps the profile.
  func identity(
    _ answer: VendorAnswer, _ session: PluginSession
  ) async throws -> PluginIdentity {
    let tokens = answer.tokens?.members
    var profile = answer.profile.removing([TokenAnswer.member])
    if declaration.functions.contains("profile") {
      let answer = try await runner.call(
        "profile",
        [.json(profile), .http, .secret(answer.accessToken), .settings, .tokens(tokens)], session)
      guard case .json(.object(let members)) = answer else {
        throw runner.outOfOrder("profile returned no table", nil, session)
      }
      profile = .object(members)
    }
    profile = profile.removing([TokenAnswer.member])
    let read = TokenAnswer.profile(profile, with: tokens)
    let functions = declaration.mapping.compactMap { field, mapping -> String? in
      if case .function = mapping { "identity.\(field.rawValue)" } else { nil }
    }
    let computed =
      functions.isEmpty
      ? [:]
      : try await runner.call(
        functions.sorted(), [.json(profile), .settings, .tokens(tokens)], session)
    func value(_ field: PluginDeclaration.MappedField) -> [JSONValue] {
      switch declaration.mapping[field] {
      case .sources(let sources): sources.compactMap { $0.value(in: read) }
      case .function:
        if case .json(let value)? = computed["identity.\(field.rawValue)"] { [value] } else { [] }
      case nil: []
      }
    }
    func text(_ field: PluginDeclaration.MappedField) -> String? {
      value(field).lazy.compactMap { PersonName.said($0) }.first
    }
    var identity = PluginIdentity(
      subject: try PluginIdentity.subject(value(.subject).first, at: declaration.subjectPaths))
    identity.formerSubjects = try PluginIdentity.formerSubjects(value(.formerSubjects))
    identity.email = text(.email)
    identity.emailVerified = value(.emailVerified).first.map(isTrue) ?? false
    identity.displayName = text(.displayName)
    identity.photoURL = text(.photoURL)
    identity.screenName = text(.screenName)
    identity.phoneNumber = text(.phoneNumber)
    identity.claims = profile
    return identity
  }

  /// Accepts the JSON value true, and a text only if the vendor is known to write texts.
  private func isTrue(_ value: JSONValue) -> Bool {
    value == .bool(true) || (declaration.takesTextBooleans && value == .string("true"))
  }
}
