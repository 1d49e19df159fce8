import AuthCore
import IdentityToolkit

/// The settings for second factors, as Firebase's `MultiFactorAuthConfig`.
///
/// Phones are listed in `enabledProviders`. Authenticator apps have an entry in `providerConfigs` with a state of its
/// own (Identity Platform's documentation of TOTP).
enum MultiFactorDocument {
  static let phone = "PHONE_SMS"
  private static let intervals = "adjacentIntervals"
  private static let usualSteps = ProjectSettings().totpDriftSteps

  /// The document as a field of a body.
  static func field(_ name: String) -> RouteField {
    .object(
      name,
      [
        "state", .list("enabledProviders", most: 20),
        .list(
          "providerConfigs", most: 20,
          of: ["state", .object("totpProviderConfig", [.number("adjacentIntervals")])]),
      ])
  }

  static func value(_ settings: ProjectSettings) -> JSONValue {
    let factors = settings.signIn.multiFactor
    let state = factors.state.rawValue
    let isStated = KeptDocument.isNoted(intervals, in: settings)
    return [
      "state": .string(factors.allowsPhone ? state : factors.statedState ?? "DISABLED"),
      "enabledProviders": providers(factors),
      "providerConfigs": [
        [
          "state": .string(factors.allowsTOTP ? state : "DISABLED"),
          "totpProviderConfig": isStated || settings.totpDriftSteps != usualSteps
            ? ["adjacentIntervals": .integer(Int64(settings.totpDriftSteps))] : [:],
        ]
      ],
    ]
  }

  /// Returns the list of providers, which says what opens as soon as the state is on.
  static func providers(_ factors: MultiFactorSettings) -> JSONValue {
    let listed = factors.statedProviders?.split(separator: ",").map(String.init) ?? []
    return factors.allowsPhone || listed.contains(phone) ? [.string(phone)] : []
  }

  static func write(
    _ document: WireFields?, to settings: inout ProjectSettings
  ) throws(WireError) {
    let phoneState = try state(document) ?? .disabled
    let numbers = try document?.texts("enabledProviders") ?? []
    if let unknown = numbers.first(where: { $0 != phone }) {
      throw WireError("INVALID_ARGUMENT", "There is no second factor \(unknown).")
    }
    let appState = try writeApps(document, to: &settings)
    var factors = MultiFactorSettings()
    factors.allowsPhone = numbers.contains(phone) && phoneState != .disabled
    factors.allowsTOTP = appState != .disabled
    factors.state = factors.allowsPhone || factors.allowsTOTP ? .enabled : .disabled
    if phoneState != .disabled, !factors.allowsPhone { factors.statedState = phoneState.rawValue }
    if phoneState == .disabled, !numbers.isEmpty { factors.statedProviders = phone }
    settings.signIn.multiFactor = factors
  }

  /// Writes the intervals of authenticator apps, and returns their state.
  @discardableResult static func writeApps(
    _ document: WireFields?, to settings: inout ProjectSettings
  ) throws(WireError) -> MultiFactorSettings.State {
    var appState = MultiFactorSettings.State.disabled
    var stated: Int64?
    for entry in try document?.objects("providerConfigs") ?? [] {
      guard let app = try entry.object("totpProviderConfig") else { continue }
      appState = try state(entry) ?? .disabled
      stated = try app.integer(intervals)
      guard ProjectSettings.driftSteps.contains(stated ?? 0) else {
        throw WireError("INVALID_ARGUMENT", "adjacentIntervals must be from 0 to 10.")
      }
      settings.totpDriftSteps = stated.map(Int.init) ?? usualSteps
    }
    KeptDocument.note(intervals, stated != nil, in: &settings)
    return appState
  }

  private static let states = ["STATE_UNSPECIFIED", "DISABLED", "ENABLED", "MANDATORY"]

  /// Reads a state as it was given; returns nil for none.
  static func stated(_ document: WireFields?) throws(WireError) -> String? {
    let text = try document?.choice("state", states)
    return text == states[0] ? nil : text
  }

  /// Reads a state.
  ///
  /// `MANDATORY` is read as the state `mandatory`, or refused if that is nil.
  static func state(
    _ document: WireFields?, mandatory: MultiFactorSettings.State? = nil
  ) throws(WireError) -> MultiFactorSettings.State? {
    guard let document, let text = try stated(document) else { return nil }
    guard text != "MANDATORY" else {
      if let mandatory { return mandatory }
      throw WireError(
        "INVALID_CONFIG",
        "mfa.state MANDATORY is not supported: set ENABLED, and have the app ask its people to enrol."
      )
    }
    guard let state = MultiFactorSettings.State(rawValue: text) else {
      throw .unknownChoice(
        document.place(of: "state"), of: "admin.v2.MultiFactorAuthConfig.State", text, names: states
      )
    }
    return state
  }
}
