public import AuthCore

extension ConfigurationField {
  /// The setting that turns a vendor's events on or off.
  static func events(_ summary: String) -> ConfigurationField {
    ConfigurationField("events", .flag, summary)
  }
}

extension GoogleProvider: EventReceiving {
  /// True unless the setting `events` is false.
  public func receivesEvents(_ settings: ProviderSettings) -> Bool {
    settings.flag("events") != false && !settings.list("clientIDs").isEmpty
  }

  /// Verifies a Security Event Token of Google's Cross-Account Protection.
  ///
  /// Throws `invalid-credential` or `network-request-failed`.
  public func events(
    _ request: ProviderEventRequest, _ context: VerificationContext
  ) async throws -> ProviderEventReport {
    try await eventReader.report(request, by: Self.issuers, context)
  }
}

extension AppleProvider: EventReceiving {
  /// True unless the setting `events` is false.
  public func receivesEvents(_ settings: ProviderSettings) -> Bool {
    settings.flag("events") != false && !settings.list("clientIDs").isEmpty
  }

  /// Verifies a server-to-server notification.
  ///
  /// Throws `invalid-credential` or `network-request-failed`.
  public func events(
    _ request: ProviderEventRequest, _ context: VerificationContext
  ) async throws -> ProviderEventReport {
    let token = try declaration(
      context.settings, audiences: context.settings.requiredList("clientIDs"))
    return try await AppleEvents.report(
      request, by: EventTokenDeclaration(like: token), eventVerifier, now: context.now)
  }
}

extension FacebookProvider: EventReceiving {
  /// The deauthorise and the data deletion callback.
  public var eventTopics: [String] { FacebookEvents.topics }

  /// True unless the setting `events` is false.
  public func receivesEvents(_ settings: ProviderSettings) -> Bool {
    settings.flag("events") != false && settings.text("appID") != nil
  }

  /// Verifies a signed request of the deauthorise or the data deletion callback.
  ///
  /// Throws `invalid-credential`, or `operation-not-allowed` if the app has no secret.
  public func events(
    _ request: ProviderEventRequest, _ context: VerificationContext
  ) async throws -> ProviderEventReport {
    try FacebookEvents.report(
      request, secret: try context.settings.requiredSecret("appSecret"), now: context.now)
  }
}

extension OIDCProvider: EventReceiving {
  /// True if the setting `events` is true.
  public func receivesEvents(_ settings: ProviderSettings) -> Bool {
    settings.flag("events") == true && settings.text("issuer") != nil
  }

  /// Verifies a Security Event Token or a logout token of the issuer.
  ///
  /// Throws `invalid-credential` or `network-request-failed`.
  public func events(
    _ request: ProviderEventRequest, _ context: VerificationContext
  ) async throws -> ProviderEventReport {
    let setup = try await setup(context.settings, needing: ["keys"])
    var declaration = EventTokenDeclaration(like: setup.declaration)
    declaration.types.insert("logout+jwt")
    let token = try await eventVerifier.verify(
      try request.eventToken, by: declaration, now: context.now)
    let signals = SharedSignals(issuers: declaration.issuers, usualIssuers: [setup.issuer])
    let isLogout = request.mediaType == "application/x-www-form-urlencoded"
    return ProviderEventReport(
      try signals.events(of: token), response: ProviderEventResponse(status: isLogout ? 200 : 202))
  }
}

extension EventTokenDeclaration {
  /// Makes the declaration of events that are signed like an issuer's ID tokens.
  package init(like token: IDTokenDeclaration) {
    self.init(
      issuers: token.issuers, audiences: token.audiences, keys: token.keys,
      algorithms: token.algorithms, privateHosts: token.privateHosts)
  }
}
