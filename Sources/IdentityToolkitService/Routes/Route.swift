import AuthCore

/// One operation of the protocol: where it is, who may ask, and what answers.
struct Route: Sendable {
  enum Method: String, Sendable, Hashable {
    case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
  }

  /// Who may ask.
  enum Access: Sendable, Hashable {
    /// A client with an API key, or an admin.
    case keyOrAdmin
    /// A client with an API key.
    case key
    /// An admin who has this scope.
    case admin(String)
    /// Anybody.
    case open
    /// Those that `ServerSettings.metrics` says.
    case metrics
  }

  typealias Handler = @Sendable (Call) async throws -> Answer

  let method: Method
  /// The path behind the service's name, with names in braces: `/v1/projects/{project}/accounts:lookup`.
  let pattern: String
  let service: Service
  let access: Access
  /// Google's name of the operation, as errors and metrics say it: `identitytoolkit.accounts.signUp`.
  let name: String
  /// What an admin's token has to allow.
  let scope: String
  /// Whether it is the server's own: an admin's operation that is of no project.
  let isOfServer: Bool
  /// Whether load balancers ask it to see how the server is; such answers come ahead of all other work.
  let isProbe: Bool
  /// Whether a tenant that was disabled answers all the same.
  let worksWhileDisabled: Bool
  /// The fields that a body may have; nil if they are not known.
  let fields: [RouteField]?
  /// The names of those fields.
  let knownNames: Set<String>?
  /// The bounds of the lists and objects of a body.
  let bounds: JSONBounds
  /// The modes in which there is such an operation.
  let modes: Set<ServerMode>
  let handler: Handler

  /// The hosts of Firebase's services, which the emulator has as the first segment of a path.
  enum Service: String, Sendable, Hashable {
    case identityToolkit = "identitytoolkit.googleapis.com"
    case secureToken = "securetoken.googleapis.com"
    /// AuthGraph's own paths, without a host in front.
    case own = ""
  }

  init(
    _ method: Method, _ pattern: String, of service: Service = .identityToolkit,
    access: Access = .keyOrAdmin, name: String, scope: String? = nil,
    fields: [RouteField]? = nil, worksWhileDisabled: Bool = false, isProbe: Bool = false,
    modes: Set<ServerMode> = [.production, .emulator], _ handler: @escaping Handler
  ) {
    self.fields = fields
    knownNames = fields.map { Set($0.names) }
    bounds = fields?.bounds ?? .usual
    self.modes = modes
    let reads = method == .get || name.hasSuffix("lookup") || name.hasSuffix("query")
    self.scope = scope ?? (reads ? "accounts:read" : "accounts:write")
    self.worksWhileDisabled = worksWhileDisabled
    self.isProbe = isProbe
    isOfServer = access.isAdmins && !pattern.contains("{project}")
    self.method = method
    self.pattern = pattern
    self.service = service
    self.access = access
    self.name = name
    self.handler = handler
  }
}

extension Route.Access {
  /// Whether a key is not enough for it.
  fileprivate var isAdmins: Bool {
    switch self {
    case .admin, .metrics: true
    case .keyOrAdmin, .key, .open: false
    }
  }
}
