import CoreMetrics
import NIOConcurrencyHelpers

/// A counter that only grows.
final class PrometheusCounter: CounterHandler {
  private let count = NIOLockedValueBox<Int64>(0)

  var value: Int64 { count.withLockedValue(\.self) }

  func increment(by amount: Int64) { count.withLockedValue { $0 += amount } }
  func reset() {}
}

/// A gauge, which goes up and down.
final class PrometheusGauge: MeterHandler {
  private let number = NIOLockedValueBox(0.0)

  var value: Double { number.withLockedValue(\.self) }

  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { number.withLockedValue { $0 = value } }
  func increment(by amount: Double) { number.withLockedValue { $0 += amount } }
  func decrement(by amount: Double) { increment(by: -amount) }
}

/// A histogram of times in seconds, cumulative by upper bound.
final class PrometheusHistogram: RecorderHandler, TimerHandler {
  struct Value: Sendable {
    /// For each bucket, the number of values up to its bound.
    var counts = Array(repeating: 0, count: buckets.count)
    var sum = 0.0
    var count = 0
  }

  /// The upper bounds of the buckets, in seconds.
  static let buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

  private let times = NIOLockedValueBox(Value())

  var value: Value { times.withLockedValue(\.self) }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ seconds: Double) {
    times.withLockedValue { value in
      for (index, bound) in Self.buckets.enumerated() where seconds <= bound {
        value.counts[index] += 1
      }
      value.sum += seconds
      value.count += 1
    }
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
}
