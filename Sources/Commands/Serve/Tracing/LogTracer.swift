import Logging
import NIOConcurrencyHelpers
import Tracing

/// Writes every span to the log when it ends, under the names of OpenTelemetry, and continues the trace of a request's
/// `traceparent`.
struct LogTracer: Tracer {
  let logger: Logger

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> LogSpan {
    var context = context()
    let parent = context.traceParent
    let place = parent?.child() ?? TraceParent.new()
    context.traceParent = place
    return LogSpan(
      operationName, context: context, place: place, parent: parent?.span, kind: kind,
      start: instant().nanosecondsSinceEpoch, logger: logger)
  }

  func forceFlush() {}

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    guard let header = extractor.extract(key: TraceParent.headerName, from: carrier) else { return }
    context.traceParent = TraceParent(header: header)
  }

  func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    guard let place = context.traceParent else { return }
    injector.inject(place.header, forKey: TraceParent.headerName, into: &carrier)
  }
}

/// A span that is written when it ends.
final class LogSpan: Span {
  private struct State {
    var name: String
    var attributes: SpanAttributes = [:]
    var status: SpanStatus?
    var isEnded = false
  }

  let context: ServiceContext
  private let place: TraceParent
  private let parent: String?
  private let kind: SpanKind
  private let start: UInt64
  private let logger: Logger
  private let state: NIOLockedValueBox<State>

  init(
    _ name: String, context: ServiceContext, place: TraceParent, parent: String?, kind: SpanKind,
    start: UInt64, logger: Logger
  ) {
    self.context = context
    self.place = place
    self.parent = parent
    self.kind = kind
    self.start = start
    self.logger = logger
    state = NIOLockedValueBox(State(name: name))
  }

  var isRecording: Bool { state.withLockedValue { !$0.isEnded } }

  var operationName: String {
    get { state.withLockedValue(\.name) }
    set { state.withLockedValue { $0.name = newValue } }
  }

  var attributes: SpanAttributes {
    get { state.withLockedValue(\.attributes) }
    set { state.withLockedValue { $0.attributes = newValue } }
  }

  func setStatus(_ status: SpanStatus) { state.withLockedValue { $0.status = status } }

  func addEvent(_ event: SpanEvent) {}

  func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) { setStatus(SpanStatus(code: .error)) }

  func addLink(_ link: SpanLink) {}

  func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    let end = instant().nanosecondsSinceEpoch
    let state = self.state.withLockedValue { state -> State? in
      guard !state.isEnded else { return nil }
      state.isEnded = true
      return state
    }
    guard let state else { return }
    var metadata: Logger.Metadata = [
      "trace_id": "\(place.trace)", "span_id": "\(place.span)", "name": "\(state.name)",
      "kind": "\(kind)", "microseconds": "\((end - min(start, end)) / 1000)",
    ]
    if let parent { metadata["parent_span_id"] = "\(parent)" }
    if let status = state.status { metadata["status"] = "\(status.code)" }
    state.attributes.forEach { name, value in metadata[name] = "\(value)" }
    logger.info("span", metadata: metadata)
  }
}

extension ServiceContext {
  private enum TraceParentKey: ServiceContextKey {
    typealias Value = TraceParent
  }

  fileprivate var traceParent: TraceParent? {
    get { self[TraceParentKey.self] }
    set { self[TraceParentKey.self] = newValue }
  }
}
