import AuthCore
import CoreMetrics
import Testing

@testable import IdentityToolkitService

@Suite struct `The text that Prometheus reads` {
  @Test(arguments: ServerMode.allCases)
  func `the text has one type for each name, and only well-formed samples of it`(
    mode: ServerMode
  ) async throws {
    try await withServer(mode, configure: { $0.servers = 1 }) { home in
      try await home.post(ServerHome.signUp)
      try await home.post(ServerHome.signIn, ["email": "a\"\\b", "password": "x"])
      try await home.call("GET", "/nowhere")
      let reply = try await home.call("GET", "/metrics")
      #expect(reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
      #expect(reply.text.hasSuffix("\n"))
      // A sample: a name, labels with escaped values, and a number.
      let sample =
        #/^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?[0-9.]+(?:e[-+]?[0-9]+)?|\+Inf|NaN)$/#
      var types: [String: String] = [:]
      var values: [String: Double] = [:]
      for line in reply.text.split(separator: "\n") {
        if line.hasPrefix("# TYPE ") {
          let parts = line.split(separator: " ").map(String.init)
          #expect(types[parts[2]] == nil, "two types of \(parts[2])")
          types[parts[2]] = parts[3]
          continue
        }
        let match = try #require(try sample.wholeMatch(in: line), "\(line)")
        let name = String(match.1)
        let family = ["_bucket", "_sum", "_count"].lazy
          .filter { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
          .first { types[$0] == "histogram" }
        #expect(types[family ?? name] != nil, "no type of \(name)")
        #expect(values[String(line.prefix { $0 != " " })] == nil, "twice: \(line)")
        values[String(line.prefix { $0 != " " })] = Double(match.3)
      }
      let signUps =
        "authgraph_http_requests_total{operation=\"identitytoolkit.accounts.signUp\",status=\"200\"}"
      #expect(values[signUps] == 1)
      #expect(values["authgraph_errors_total{code=\"NOT_FOUND\"}"] == 1)
      // The current request is counted too.
      #expect(values["authgraph_http_requests_in_flight"] == 1)
      #expect(types["authgraph_http_request_seconds"] == "histogram")
    }
  }

  @Test func `buckets of a histogram count their values, and the last one counts all`() {
    let metrics = PrometheusMetrics()
    let timer = metrics.makeTimer(label: "work_seconds", dimensions: [("kind", "a\"b\\c\nd")])
    for nanoseconds: Int64 in [500_000, 30_000_000, 60_000_000_000] {
      timer.recordNanoseconds(nanoseconds)
    }
    let lines = metrics.text().split(separator: "\n").map(String.init)
    #expect(lines.first == "# TYPE work_seconds histogram")
    let labels = #"kind="a\"b\\c\nd""#
    #expect(lines.contains("work_seconds_bucket{\(labels),le=\"0.001\"} 1"))
    #expect(lines.contains("work_seconds_bucket{\(labels),le=\"0.025\"} 1"))
    #expect(lines.contains("work_seconds_bucket{\(labels),le=\"0.05\"} 2"))
    #expect(lines.contains("work_seconds_bucket{\(labels),le=\"5.0\"} 2"))
    #expect(lines.contains("work_seconds_bucket{\(labels),le=\"+Inf\"} 3"))
    #expect(lines.contains("work_seconds_count{\(labels)} 3"))
  }
}
