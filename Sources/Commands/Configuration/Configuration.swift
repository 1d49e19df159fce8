import AuthCore
import AuthServer
import IdentityToolkitService
import Logging
import SMTPMessages
import SessionTokens

/// Everything that an admin chooses for a server.
struct Configuration: Sendable {
  var mode = ServerMode.production
  var store = StoreLocation.memory
  /// URLs of servers that follow the store's and answer lookups.
  var replicas: [String] = []
  var project = "default"
  /// Further projects that are served.
  var projects: Set<String> = []
  var projectNumber: String?
  var host = "127.0.0.1"
  var port = 9099
  /// Without a slash at its end; nil where it is made from the port that was found free.
  var publicURL: String?
  var tls: HTTPConfiguration.TLSFiles?
  var offersHTTP2 = true
  /// The projects of API keys.
  var apiKeys: [String: String] = [:]
  var plugins: [String] = []
  /// Where the key of the store's secrets is; nil for beside the store.
  var keyFile: String?
  var messages = Messages()
  var outbox: Webhook?
  var functions = Functions()
  var rateLimits = RateLimits()
  var trustedProxies: [String] = []
  var limits = Limits()
  /// Who may read the metrics; nil for the server's own choice.
  var metrics: MetricsAccess?
  /// How tokens are signed in production.
  var signing = SigningAlgorithm.rs256
  /// Whether spans are written to the log.
  var logsSpans = false
  var logging = Logging()
  var allowedOrigins: Set<String> = []

  /// A web service that gets signed requests.
  struct Webhook: Sendable, Equatable {
    var url: String
    var secret: Secret<String>
  }

  /// The ways that messages go.
  struct Messages: Sendable {
    var smtp: SMTPConfiguration?
    var webhook: Webhook?
    /// Whether messages that have no other way are written to standard error.
    var log = false
  }

  /// How the app's functions are asked before sign-ins; which there are is a setting of each scope.
  struct Functions: Sendable, Equatable {
    /// Hosts that may be private and without TLS.
    var privateHosts: [String] = []
    var timeoutSeconds = 7
  }

  struct Logging: Sendable, Equatable {
    enum Format: String, CaseIterable, Sendable {
      case text, json
    }

    var level = Logger.Level.info
    var format = Format.text
    /// Whether addresses and numbers of people are written out.
    var showsEmails = false
  }

  /// What the server is told of how to listen, but for the certificate.
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
