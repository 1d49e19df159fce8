public import AuthCore

/// A compiler that refuses every merge policy.
public struct NoPolicies: MergePolicyCompiler {
  public init() {}

  public func policy(_ source: PolicySource) throws(AuthError) -> any MergePolicy {
    throw AuthError(.invalidPolicy, "There are no policies here.")
  }

  public func digest(of source: PolicySource) -> String { source.text }
}

/// A sealing that leaves secrets readable, for stores of tests.
public struct PlainSealing: SecretSealing {
  public init() {}

  public func seal(_ text: String, for purpose: String) throws -> String { text }
  public func open(_ sealed: String, for purpose: String) throws -> String { sealed }
}

/// A network without servers.
public struct NoTransport: HTTPTransport {
  public init() {}

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw AuthError(.networkRequestFailed, "No server answers at \(request).")
  }
}
