import AuthCore

/// An operation of the protocol: its path, its callers, and its handler.
struct Route: Sendable {
  enum Method: String, Sendable, Hashable {
    case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
  }

  /// The callers that may use an operation.
  enum Access: Sendable, Hashable {
    /// A client with an API key, or an admin.
    case keyOrAdmin
    /// A client with an API key.
    case key
    /// An admin who has this scope.
    case admin(String)
    /// Any client.
    case open
    /// The callers that `ServerSettings.metrics` allows.
    case metrics
  }

  typealias Handler = @Sendable (Call) async throws -> Answer

  let method: Method
  /// The path after the service's name, with names in braces: `/v1/projects/{project}/accounts:lookup`.
  let pattern: String
  let service: Service
  let access: Access
  /// Google's name of the operation, for errors and metrics: `identitytoolkit.accounts.signUp`.
  let name: String
  /// The scope that an admin's token needs.
  let scope: String
  /// True for an admin's operation on the whole server, of no project.
  let isOfServer: Bool
  /// True for load balancers' health checks, which are answered ahead of all other work.
  let isProbe: Bool
  /// True if the operation is refused in an emulator that other machines can reach, where everybody is an admin.
  let needsGenuineAdmin: Bool
  /// True if the operation works even for a disabled tenant.
  let worksWhileDisabled: Bool
  /// True if the handler reads the body itself, whatever its media type, because a signature covers its bytes.
  let takesBytes: Bool
  /// The fields that a body may have; nil if they are unknown.
  let fields: [RouteField]?
  /// The names of those fields.
  let knownNames: Set<String>?
  /// The bounds of the lists and objects in a body.
  let bounds: JSONBounds
  /// The modes in which the operation exists.
  let modes: Set<ServerMode>
  let handler: Handler

  /// The hosts of Firebase's services, which are the first segment of a path at the emulator's address.
  enum Service: String, Sendable, Hashable {
    case identityToolkit = "identitytoolkit.googleapis.com"
    case secureToken = "securetoken.googleapis.com"
    /// AuthGraph's own paths, without a host.
    case own = ""
  }

  init(
    _ method: Method, _ pattern: String, of service: Service = .identityToolkit,
    access: Access = .keyOrAdmin, name: String, scope: String? = nil,
    fields: [RouteField]? = nil, worksWhileDisabled: Bool = false, isProbe: Bool = false,
    needsGenuineAdmin: Bool = false, takesBytes: Bool = false,
    modes: Set<ServerMode> = [.production, .emulator],
    _ handler: @escaping Handler
  ) {
    self.fields = fields
    knownNames = fields.map { Set($0.names) }
    bounds = fields?.bounds ?? .usual
    self.modes = modes
    let reads = method == .get || name.hasSuffix("lookup") || name.hasSuffix("query")
    self.scope = scope ?? (reads ? "accounts:read" : "accounts:write")
    self.worksWhileDisabled = worksWhileDisabled
    self.isProbe = isProbe
    self.needsGenuineAdmin = needsGenuineAdmin
    self.takesBytes = takesBytes
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
  /// True if an API key is not enough.
  fileprivate var isAdmins: Bool {
    switch self {
    case .admin, .metrics: true
    case .keyOrAdmin, .key, .open: false
    }
  }
}
