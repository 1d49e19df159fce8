public import AuthCore
public import BuiltInProviders
import HTTPClientTransport
public import IdentityToolkitService

extension EmbeddedBackend {
  /// Makes a backend over a store, with the built-in providers.
  ///
  /// Rate limits by network address are off, because requests have none; those by account stay. Without
  /// `options.messages`, requests for codes and links are refused with `OPERATION_NOT_ALLOWED`.
  ///
  /// - Parameters:
  ///   - store: The store of accounts and everything else.
  ///   - secrets: The sealing of the store's secrets: ``AuthCore/SecretSealing/keyFile(_:)``, or
  ///     ``AuthCore/SecretSealing/ephemeral`` for a store in memory.
  ///   - transport: The HTTP client for calls to vendors; nil for HTTPS to public addresses.
  ///   - options: The options that have defaults.
  public init(
    store: some AccountStore, secrets: some SecretSealing,
    transport: (any HTTPTransport)? = nil, options: ServiceOptions = ServiceOptions()
  ) {
    var options = options
    options.settings.rateLimits.requestsPerAddressAndMinute = 0
    options.settings.rateLimits.signUpsPerAddressAndHour = 0
    options.settings.rateLimits.messagesPerAddressAndHour = 0
    options.settings.rateLimits.attemptsPerAccountAndAddressAndHour = 0
    self.init(
      services: ServerServices(
        store: store, secrets: secrets, transport: transport ?? HTTPClientTransport(),
        options: options),
      // An ephemeral key is for a store in memory, which has nothing to compare.
      key: secrets is EphemeralSealing
        ? nil
        : StoreKeyCheck(
          StoreKey(store: store, secrets: secrets), project: options.settings.project))
  }
}

extension SecretSealing where Self == KeyFileSealing {
  /// Seals with the key in a file, which is created for a store without a key.
  ///
  /// A store that has a key refuses every other one, and creates no file. Keep a copy of the file apart from the
  /// store: without it the store's secrets are lost.
  public static func keyFile(_ path: String) -> KeyFileSealing { KeyFileSealing(path: path) }
}

extension SecretSealing where Self == EphemeralSealing {
  /// Seals with a key that only this process has, for a store in memory.
  public static var ephemeral: EphemeralSealing { EphemeralSealing() }
}
