extension ProjectSettings {
  /// How many entries a list of the settings may have.
  private static let maximumEntries = 1000

  /// What keeps the settings from being kept; nil if nothing does.
  ///
  /// What the settings of before have already is no excess.
  func excess(beside old: ProjectSettings? = nil) -> AuthError? {
    let long = longTexts
    if !long.isEmpty {
      let known = Set(old?.longTexts.map(\.text) ?? [])
      if let first = long.first(where: { !known.contains($0.text) }) { return first.refusal }
    }
    for (field, count) in counts where count > Self.maximumEntries {
      guard count > old?.counts.first(where: { $0.field == field })?.count ?? 0 else { continue }
      return AuthError(
        .invalidArgument, "The list has at most \(Self.maximumEntries) entries.", field: field,
        remedy: "Leave some out.", step: .decision)
    }
    return nil
  }

  private typealias Long = (text: String, refusal: AuthError)

  private var counts: [(field: String, count: Int)] {
    [
      ("authorizedDomains", signIn.authorizedDomains.count),
      ("closedProviders", signIn.closedProviders.count), ("trust", trust.extents.count),
      ("providers", providers.count), ("passwordHashParameters", passwordHashParameters.count),
    ]
  }

  /// The texts that are beyond their bounds, each with its refusal.
  private var longTexts: [Long] {
    var found: [Long] = []
    func see(_ text: String?, in bounds: TextBounds, _ title: String, field: String) {
      guard let text, !bounds.allow(text) else { return }
      found.append((text, bounds.refusal(title, field: field)))
    }
    for (source, what) in [(mergePolicy, "policy"), (signIn.blockingFunctions.script, "script")] {
      see(source?.name, in: .scriptName, "The name of a \(what)", field: "name")
      see(source?.text, in: .script, "The text of a \(what)", field: "text")
    }
    see(signIn.displayName, in: .name, "A tenant's name", field: "displayName")
    for domain in signIn.authorizedDomains {
      see(domain, in: .domain, "A domain", field: "authorizedDomains")
    }
    for provider in signIn.closedProviders {
      see(provider.rawValue, in: .providerID, "A provider's ID", field: "closedProviders")
    }
    for (event, uri) in signIn.blockingFunctions.functionURIs {
      see(event, in: .name, "The name of an event", field: "blockingFunctions")
      see(uri, in: .url, "The address of a function", field: "blockingFunctions")
    }
    for (provider, extent) in trust.extents {
      see(provider, in: .providerID, "A provider's ID", field: "trust")
      guard case .domains(let domains) = extent else { continue }
      for domain in domains { see(domain, in: .domain, "A domain", field: "trust") }
    }
    for (id, parameters) in passwordHashParameters {
      see(id, in: .name, "The ID of hash parameters", field: "passwordHashParameters")
      see(parameters, in: .setting, "Hash parameters", field: "passwordHashParameters")
    }
    for (id, configuration) in providers {
      see(id, in: .providerID, "A provider's ID", field: "providerID")
      for (name, value) in configuration.values {
        value.eachText {
          see($0, in: .setting, "The setting \(TextBounds.name.cut(name))", field: name)
        }
      }
      for (name, sealed) in configuration.sealedSecrets {
        see(sealed, in: .sealedSetting, "The setting \(name)", field: name)
      }
    }
    return found
  }
}

extension JSONValue {
  /// Visits every text of the value, and every name.
  func eachText(_ visit: (String) -> Void) {
    switch self {
    case .string(let text): visit(text)
    case .array(let elements): for element in elements { element.eachText(visit) }
    case .object(let members):
      for (name, value) in members {
        visit(name)
        value.eachText(visit)
      }
    case .null, .bool, .integer, .number: break
    }
  }
}
