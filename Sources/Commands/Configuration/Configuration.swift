import AuthCore
import AuthServer
import IdentityToolkitService
import Logging
import LuaPlugins
import SMTPMessages
import SessionTokens

/// All settings that an admin chooses for a server.
struct Configuration: Sendable {
  var mode = ServerMode.production
  var store = StoreLocation.memory
  /// The URLs of servers that replicate the store and answer lookups.
  var replicas: [String] = []
  var project = "default"
  /// The additional projects that are served.
  var projects: Set<String> = []
  var projectNumber: String?
  /// The emulator's answer to requests for other projects.
  var singleProjectMode = SingleProjectMode.warn
  var host = "127.0.0.1"
  var port = 9099
  /// The public URL without a trailing slash; nil if it is made from the port that was found free.
  var publicURL: String?
  var tls: HTTPConfiguration.TLSFiles?
  var offersHTTP2 = true
  /// The projects, by API key.
  var apiKeys: [String: String] = [:]
  var plugins: [String] = []
  /// The keys that may sign bundles of plug-ins; empty if every installed bundle is allowed.
  var pluginKeys: [BundleKey] = []
  /// The file with the key of the store's secrets; nil for the file beside the store.
  var keyFile: String?
  var messages = Messages()
  var outbox: Webhook?
  var functions = Functions()
  var rateLimits = RateLimits()
  var trustedProxies: [String] = []
  var limits = Limits()
  /// The access to the metrics; nil for the server's default.
  var metrics: MetricsAccess?
  /// The algorithm that signs tokens in production.
  var signing = SigningAlgorithm.rs256
  /// Writes spans to the log.
  var logsSpans = false
  var logging = Logging()
  var allowedOrigins: Set<String> = []

  /// A web service that receives signed requests.
  struct Webhook: Sendable, Equatable {
    var url: String
    var secret: Secret<String>
  }

  /// The ways to send messages.
  struct Messages: Sendable {
    var smtp: SMTPConfiguration?
    var webhook: Webhook?
    /// Writes messages that have no other way to standard error.
    var log = false
  }

  /// The calls of the app's functions before sign-ins.
  ///
  /// The functions themselves are a setting of each scope.
  struct Functions: Sendable, Equatable {
    /// The hosts that may be private and without TLS.
    var privateHosts: [String] = []
    var timeoutSeconds = 7
  }

  struct Logging: Sendable, Equatable {
    enum Format: String, CaseIterable, Sendable {
      case text, json
    }

    var level = Logger.Level.info
    var format = Format.text
    /// Writes addresses and numbers of people in full.
    var showsEmails = false
  }

  /// The listening settings of the server, without the certificate.
  var http: HTTPConfiguration {
    var http = HTTPConfiguration()
    http.host = host
    http.port = port
    http.offersHTTP2 = offersHTTP2
    http.maximumBodyBytes = limits.bodyBytes
    http.maximumClientBodyBytes = limits.clientBodyBytes
    http.maximumBodyBytesInFlight = limits.bodyBytesInFlight
    http.requestSeconds = Int64(limits.requestSeconds)
    http.idleSeconds = Int64(limits.idleSeconds)
    http.maximumConnections = limits.connections
    http.maximumConnectionsPerAddress = limits.connectionsPerAddress
    return http
  }
}
