public import AuthCore
public import BuiltInProviders
import HTTPClientTransport
public import IdentityToolkitService

extension EmbeddedBackend {
  /// Puts a backend together over a store, with the built-in providers.
  ///
  /// Limits by network address are off, because requests come from none; those by account stay. Without
  /// `options.messages`, codes and links are refused with `OPERATION_NOT_ALLOWED`.
  ///
  /// - Parameters:
  ///   - store: where everything is kept.
  ///   - secrets: what seals the secrets in the store: ``AuthCore/SecretSealing/keyFile(_:)``, or for a
  ///     store that is gone with the process ``AuthCore/SecretSealing/ephemeral``.
  ///   - transport: what speaks to vendors; nil for HTTPS to public addresses.
  ///   - options: everything that has a default.
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
      // A key that ends with its process is for a store that does so too.
      key: secrets is EphemeralSealing
        ? nil
        : StoreKeyCheck(
          StoreKey(store: store, secrets: secrets), project: options.settings.project))
  }
}

extension SecretSealing where Self == KeyFileSealing {
  /// Seals with the key in a file, which is made for a store that has no key.
  ///
  /// A store that has one refuses every other key, and makes no file.
  /// Keep a copy of it apart from the store's: without it the secrets of the store are lost.
  public static func keyFile(_ path: String) -> KeyFileSealing { KeyFileSealing(path: path) }
}

extension SecretSealing where Self == EphemeralSealing {
  /// Seals with a key that only this process has, for a store that is gone with it as well.
  public static var ephemeral: EphemeralSealing { EphemeralSealing() }
}
