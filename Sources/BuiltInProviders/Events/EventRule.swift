public import AuthCore

/// The events that a vendor reports about people who signed in.
package struct EventRule: Sendable {
  /// The last segments of the addresses, for a vendor that has several.
  package var topics: [String] = []
  /// Tells whether events are taken under the settings.
  package let isTaken: @Sendable (ProviderSettings) -> Bool
  /// Verifies a request and reads its events; it changes nothing.
  let report: @Sendable (ProviderEventRequest, ProviderUse) async throws -> ProviderEventReport

  /// Makes the rule of a provider that takes events as soon as it is set up.
  package init(
    _ report:
      @escaping @Sendable (ProviderEventRequest, any ProviderSession) async throws
      -> ProviderEventReport
  ) {
    isTaken = { _ in true }
    self.report = { request, use in try await report(request, use.session) }
  }

  /// Makes a rule; the setting `events` turns the events off, or on if they are not usual.
  init(
    isUsual: Bool = true, needing setting: String,
    report:
      @escaping @Sendable (ProviderEventRequest, ProviderUse) async throws -> ProviderEventReport
  ) {
    isTaken = { settings in
      let isSetUp = settings.text(setting) != nil || !settings.list(setting).isEmpty
      return isSetUp && settings.flag("events") ?? isUsual
    }
    self.report = report
  }
}

extension ConfigurationField {
  /// The setting that turns a vendor's events off.
  static let events = ConfigurationField(
    "events", .flag, "takes the vendor's events about people; true by default")
  /// The setting that turns an issuer's events on.
  static let issuerEvents = ConfigurationField(
    "events", .flag,
    "takes the issuer's Security Event Tokens and logout tokens; false by default")
}

extension DeclaredProvider: EventReceiving {
  /// The last segments of the addresses to which the vendor reports, if it has several.
  public var eventTopics: [String] { declaration.events?.topics ?? [] }

  /// Tells whether the provider takes events under these settings.
  public func receivesEvents(_ settings: ProviderSettings) -> Bool {
    declaration.events?.isTaken(settings) ?? false
  }

  /// Verifies a vendor's request and returns its events.
  ///
  /// Throws `invalid-credential` naming the field at fault, `network-request-failed`, or `operation-not-allowed` if
  /// the provider takes no events.
  public func events(
    _ request: ProviderEventRequest, _ context: VerificationContext
  ) async throws -> ProviderEventReport {
    guard let rule = declaration.events else {
      throw AuthError(
        .operationNotAllowed, "\(id) reports no events.",
        remedy: "Remove the address at the vendor.",
        step: .credential)
    }
    return try await use(context) { try await rule.report(request, $0) }
  }
}
