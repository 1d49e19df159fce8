import AuthCore
import InMemoryTracing
import Testing
import Tracing

@testable import IdentityToolkitService

/// The tracer of the process, which can be set once.
private let tracer: InMemoryTracer = {
  let tracer = InMemoryTracer()
  InstrumentationSystem.bootstrap(tracer)
  return tracer
}()

@Suite struct `Traces of requests` {
  @Test func `a request has one span, which names the operation and its outcome`() async throws {
    let tracer = tracer
    // An operation that no other test requests, because all servers share the tracer.
    try await withServer(.production) { home in
      try await home.admin(
        "GET", "/v2/projects/\(ServerHome.project)/defaultSupportedIdpConfigs/traced.example")
    }
    let spans = tracer.finishedSpans.filter {
      $0.operationName == "identitytoolkit.projects.defaultSupportedIdpConfigs.get"
        && $0.attributes.get("error.type") == .string("CONFIGURATION_NOT_FOUND")
    }
    let span = try #require(spans.first)
    #expect(span.kind == .server)
    #expect(span.attributes.get("http.request.method") == .string("GET"))
    #expect(span.attributes.get("http.response.status_code") == .int64(400))
    #expect(span.attributes.get("authgraph.operation") == .string(span.operationName))
    // A trace contains neither the path's names nor the query.
    #expect(!String(describing: span.attributes).contains("traced.example"))
  }
}
