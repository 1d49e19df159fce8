import AuthCore
public import Logging
import LuaPlugins
import Metrics
import NIOConcurrencyHelpers

/// The log and the metrics of a server.
public struct ServerTelemetry: Sendable {
  /// The log.
  public let logger: Logger
  /// The metrics, in Prometheus' format.
  public let metrics: PrometheusMetrics

  private let inFlight: Meter
  private let meters = NIOLockedValueBox<[AnswerKind: AnswerMeters]>([:])

  /// Makes telemetry over a logger and metrics.
  public init(logger: Logger, metrics: PrometheusMetrics = PrometheusMetrics()) {
    self.logger = logger
    self.metrics = metrics
    inFlight = Meter(label: "authgraph_http_requests_in_flight", factory: metrics)
  }

  /// Records an answered request.
  ///
  /// Of the request and the answer it records only the operation and the error's code.
  package func answered(
    _ operation: String, status: Int, errorCode: String?, requestID: String,
    after duration: Duration
  ) {
    let kind = AnswerKind(operation: operation, status: status, errorCode: errorCode)
    let meters = meters.withLockedValue { known in
      if let found = known[kind] { return found }
      let made = AnswerMeters(kind, metrics)
      known[kind] = made
      return made
    }
    let seconds = duration.seconds
    meters.requests.increment()
    meters.seconds.recordNanoseconds(Int64(seconds * 1_000_000_000))
    meters.errors?.increment()
    var metadata: Logger.Metadata = [
      "request": .string(requestID), "operation": .string(operation),
      "status": .string(String(status)), "milliseconds": .string(String(Int64(seconds * 1000))),
    ]
    if let errorCode { metadata["code"] = .string(errorCode) }
    logger.log(
      level: status >= 500 && status != 501 ? .error : .info, "answered", metadata: metadata)
  }

  /// Adds to the number of requests in progress.
  package func inFlight(_ change: Double) {
    change > 0 ? inFlight.increment(by: change) : inFlight.decrement(by: -change)
  }

  /// Logs a message that could not be sent; a warning while it is retried.
  func undelivered(_ failure: MessageFailure) {
    logger.log(
      level: failure.isGivenUp ? .error : .warning,
      failure.isGivenUp
        ? "a message was given up" : "a message could not be sent, and is tried again",
      metadata: [
        "message": .string(failure.kind?.rawValue ?? "unknown"),
        "error": "\(String(reflecting: failure.error))",
      ])
  }

  /// Reports a policy or a hook that failed, which clients see as a conflict or a refusal.
  func failed(_ failure: AppScriptFailure) {
    Counter(
      label: "authgraph_script_failures_total", dimensions: [("script", failure.kind.rawValue)],
      factory: metrics
    ).increment()
    var metadata: Logger.Metadata = [
      "script": .string(failure.kind.rawValue), "name": .string(failure.name),
      "error": .string(failure.message), "code": .string(failure.code.rawValue),
    ]
    if let event = failure.eventID { metadata["event"] = .string(event) }
    logger.warning("a script of the project failed", metadata: metadata)
  }

  /// Logs a record of a policy or a hook.
  func logged(_ record: ScriptLogRecord) {
    var metadata: Logger.Metadata = [
      "message": .string(record.message), "name": .string(record.script),
    ]
    if let place = record.place { metadata["script"] = .string(place) }
    let levels: [String: Logger.Level] = ["warn": .warning, "error": .error]
    logger.log(
      level: levels[record.level] ?? .info,
      record.kind == .mergePolicy ? "a policy logged" : "a hook logged", metadata: metadata)
  }

  /// Logs for the admin an error that clients see only as an internal error.
  func fault(_ error: any Error, in operation: String, request: String? = nil) {
    var metadata: Logger.Metadata = [
      "operation": "\(operation)", "error": "\(String(reflecting: error))",
    ]
    if let request { metadata["request"] = .string(request) }
    logger.error("fault", metadata: metadata)
  }
}

/// The labels of answers that are counted together.
///
/// Operations, statuses and error codes are bounded in number.
private struct AnswerKind: Hashable {
  let operation: String
  let status: Int
  let errorCode: String?
}

/// The meters of one kind of answer.
private struct AnswerMeters {
  let requests: Counter
  let seconds: Timer
  let errors: Counter?

  init(_ kind: AnswerKind, _ metrics: PrometheusMetrics) {
    requests = Counter(
      label: "authgraph_http_requests_total",
      dimensions: [("operation", kind.operation), ("status", String(kind.status))],
      factory: metrics)
    seconds = Timer(
      label: "authgraph_http_request_seconds", dimensions: [("operation", kind.operation)],
      factory: metrics)
    errors = kind.errorCode.map {
      Counter(label: "authgraph_errors_total", dimensions: [("code", $0)], factory: metrics)
    }
  }
}

extension Duration {
  var seconds: Double {
    let parts = components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }
}
