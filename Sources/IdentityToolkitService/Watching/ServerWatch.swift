public import Logging
import Metrics

/// What tells of the server's work: log and metrics.
public struct ServerWatch: Sendable {
  public let logger: Logger
  public let metrics: PrometheusMetrics

  public init(logger: Logger, metrics: PrometheusMetrics = PrometheusMetrics()) {
    self.logger = logger
    self.metrics = metrics
  }

  /// Tells of a request that was answered.
  ///
  /// Nothing of what was asked or answered is in it but the operation and the error's code.
  package func answered(
    _ operation: String, status: Int, errorCode: String?, requestID: String,
    after duration: Duration
  ) {
    let dimensions = [("operation", operation), ("status", String(status))]
    Counter(label: "authgraph_http_requests_total", dimensions: dimensions, factory: metrics)
      .increment()
    let seconds = duration.seconds
    Timer(
      label: "authgraph_http_request_seconds", dimensions: [("operation", operation)],
      factory: metrics
    ).recordNanoseconds(Int64(seconds * 1_000_000_000))
    if let errorCode {
      Counter(
        label: "authgraph_errors_total", dimensions: [("code", errorCode)], factory: metrics
      ).increment()
    }
    var metadata: Logger.Metadata = [
      "request": "\(requestID)", "operation": "\(operation)", "status": "\(status)",
      "milliseconds": "\(Int64(seconds * 1000))",
    ]
    if let errorCode { metadata["code"] = "\(errorCode)" }
    logger.log(
      level: status >= 500 && status != 501 ? .error : .info, "answered", metadata: metadata)
  }

  /// Tells how many requests are being answered.
  package func inFlight(_ change: Double) {
    let meter = Meter(label: "authgraph_http_requests_in_flight", factory: metrics)
    change > 0 ? meter.increment(by: change) : meter.decrement(by: -change)
  }

  /// Tells an admin what the outside sees only as an internal error.
  func fault(_ error: any Error, in operation: String) {
    logger.error(
      "fault",
      metadata: ["operation": "\(operation)", "error": "\(String(reflecting: error))"])
  }
}

extension Duration {
  var seconds: Double {
    let parts = components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }
}
