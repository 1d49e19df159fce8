import AuthCore
public import CoreMetrics
import NIOConcurrencyHelpers

/// Collects counters and times, and writes them in Prometheus' text format (version 0.0.4).
public final class PrometheusMetrics: MetricsFactory {
  private struct Series: Hashable {
    let name: String
    let labels: [String]
  }

  private struct State {
    var counters: [Series: PrometheusCounter] = [:]
    var gauges: [Series: PrometheusGauge] = [:]
    var histograms: [Series: PrometheusHistogram] = [:]
  }

  private let state = NIOLockedValueBox(State())

  /// Makes an empty collection.
  public init() {}

  /// Returns all metrics as text, in order of name.
  public func text() -> String {
    state.withLockedValue { state in
      Self.section(state.counters, "counter") { name, labels, value in
        ["\(name)\(Self.braces(labels)) \(value.value)"]
      }
        + Self.section(state.gauges, "gauge") { name, labels, value in
          ["\(name)\(Self.braces(labels)) \(value.value)"]
        }
        + Self.section(state.histograms, "histogram", Self.lines)
    }
  }

  private static func section<Value>(
    _ values: [Series: Value], _ type: String, _ lines: (String, [String], Value) -> [String]
  ) -> String {
    let byName = Dictionary(grouping: values, by: \.key.name)
    return byName.keys.sorted().map { name in
      let series = (byName[name] ?? []).sorted {
        $0.key.labels.lexicographicallyPrecedes($1.key.labels)
      }
      return (["# TYPE \(name) \(type)"] + series.flatMap { lines(name, $0.key.labels, $0.value) })
        .joined(separator: "\n") + "\n"
    }.joined()
  }

  private static func lines(
    _ name: String, _ labels: [String], _ kept: PrometheusHistogram
  ) -> [String] {
    let histogram = kept.value
    return zip(PrometheusHistogram.buckets, histogram.counts).map { bound, count in
      "\(name)_bucket\(braces(labels + ["le=\"\(bound)\""])) \(count)"
    } + [
      "\(name)_bucket\(braces(labels + ["le=\"+Inf\""])) \(histogram.count)",
      "\(name)_sum\(braces(labels)) \(histogram.sum)",
      "\(name)_count\(braces(labels)) \(histogram.count)",
    ]
  }

  private static func braces(_ labels: [String]) -> String {
    labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
  }

  private static func series(_ label: String, _ dimensions: [(String, String)]) -> Series {
    Series(
      name: name(label),
      labels: dimensions.map { "\(name($0.0))=\"\(escaped($0.1))\"" })
  }

  /// Returns a name with underscores in place of characters that Prometheus does not allow.
  private static func name(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  private static func escaped(_ text: String) -> String {
    text.replacing(bytes: ["\\": "\\\\", "\"": "\\\"", "\n": "\\n"])
  }
}

extension PrometheusMetrics {
  /// Returns the counter with a label and dimensions.
  public func makeCounter(
    label: String, dimensions: [(String, String)]
  ) -> any CounterHandler {
    kept(\.counters, label: label, dimensions: dimensions, PrometheusCounter.init)
  }

  /// Returns the gauge with a label and dimensions.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    kept(\.gauges, label: label, dimensions: dimensions, PrometheusGauge.init)
  }

  /// Returns the recorder with a label and dimensions.
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    kept(\.histograms, label: label, dimensions: dimensions, PrometheusHistogram.init)
  }

  /// Returns the timer with a label and dimensions.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    kept(\.histograms, label: label, dimensions: dimensions, PrometheusHistogram.init)
  }

  public func destroyCounter(_ handler: any CounterHandler) {}
  public func destroyMeter(_ handler: any MeterHandler) {}
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  public func destroyTimer(_ handler: any TimerHandler) {}

  /// Returns the handler with a name and labels, or makes one.
  private func kept<Handler>(
    _ place: any WritableKeyPath<State, [Series: Handler]> & Sendable, label: String,
    dimensions: [(String, String)], _ make: () -> Handler
  ) -> Handler {
    let series = Self.series(label, dimensions)
    return state.withLockedValue { state in
      if let handler = state[keyPath: place][series] { return handler }
      let handler = make()
      state[keyPath: place][series] = handler
      return handler
    }
  }
}
