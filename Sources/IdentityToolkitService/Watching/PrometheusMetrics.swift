public import CoreMetrics
import NIOConcurrencyHelpers

/// Keeps counts and times, and writes them in Prometheus' text format (version 0.0.4).
public final class PrometheusMetrics: MetricsFactory {
  private struct Series: Hashable {
    let name: String
    let labels: [String]
  }

  private struct Histogram {
    var counts = Array(repeating: 0, count: PrometheusMetrics.buckets.count)
    var sum = 0.0
    var count = 0
  }

  private struct State {
    var counters: [Series: Int64] = [:]
    var gauges: [Series: Double] = [:]
    var histograms: [Series: Histogram] = [:]
  }

  /// The upper bounds of the buckets, in seconds.
  private static let buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

  private let state = NIOLockedValueBox(State())

  public init() {}

  /// Everything as text, in order of name.
  public func text() -> String {
    state.withLockedValue { state in
      Self.section(state.counters, "counter") { name, labels, value in
        ["\(name)\(Self.braces(labels)) \(value)"]
      }
        + Self.section(state.gauges, "gauge") { name, labels, value in
          ["\(name)\(Self.braces(labels)) \(value)"]
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

  private static func lines(_ name: String, _ labels: [String], _ histogram: Histogram) -> [String]
  {
    zip(buckets, histogram.counts).map { bound, count in
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

  /// A name with what Prometheus does not take as underscores.
  private static func name(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  fileprivate func add(_ series: SeriesID, _ amount: Int64) {
    state.withLockedValue {
      $0.counters[Series(name: series.name, labels: series.labels), default: 0] += amount
    }
  }

  fileprivate func set(_ series: SeriesID, _ change: (Double) -> Double) {
    let key = Series(name: series.name, labels: series.labels)
    state.withLockedValue { $0.gauges[key] = change($0.gauges[key] ?? 0) }
  }

  fileprivate func observe(_ series: SeriesID, _ seconds: Double) {
    let key = Series(name: series.name, labels: series.labels)
    state.withLockedValue { state in
      var histogram = state.histograms[key] ?? Histogram()
      for (index, bound) in Self.buckets.enumerated() where seconds <= bound {
        histogram.counts[index] += 1
      }
      histogram.sum += seconds
      histogram.count += 1
      state.histograms[key] = histogram
    }
  }

  fileprivate struct SeriesID: Sendable {
    let name: String
    let labels: [String]
  }

  private func id(_ label: String, _ dimensions: [(String, String)]) -> SeriesID {
    let series = Self.series(label, dimensions)
    return SeriesID(name: series.name, labels: series.labels)
  }
}

extension PrometheusMetrics {
  public func makeCounter(
    label: String, dimensions: [(String, String)]
  ) -> any CounterHandler { Handler(self, id(label, dimensions)) }

  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    Handler(self, id(label, dimensions))
  }

  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { Handler(self, id(label, dimensions)) }

  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    Handler(self, id(label, dimensions))
  }

  public func destroyCounter(_ handler: any CounterHandler) {}
  public func destroyMeter(_ handler: any MeterHandler) {}
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  public func destroyTimer(_ handler: any TimerHandler) {}

  private final class Handler: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    private let metrics: PrometheusMetrics
    private let series: SeriesID

    init(_ metrics: PrometheusMetrics, _ series: SeriesID) {
      self.metrics = metrics
      self.series = series
    }

    func increment(by amount: Int64) { metrics.add(series, amount) }
    func reset() {}
    func set(_ value: Int64) { metrics.set(series) { _ in Double(value) } }
    func set(_ value: Double) { metrics.set(series) { _ in value } }
    func increment(by amount: Double) { metrics.set(series) { $0 + amount } }
    func decrement(by amount: Double) { metrics.set(series) { $0 - amount } }
    func record(_ value: Int64) { metrics.observe(series, Double(value)) }
    func record(_ value: Double) { metrics.observe(series, value) }
    func recordNanoseconds(_ duration: Int64) {
      metrics.observe(series, Double(duration) / 1_000_000_000)
    }
  }
}
