import AuthCore
import Conformance

/// Prints a line for each area as soon as its cases are run, with its failures.
struct AreaPrinter {
  private var area: String?
  private var results: [ConformanceReport.Result] = []

  mutating func take(_ result: ConformanceReport.Result) throws(AuthError) {
    if result.area != area { try finish() }
    area = result.area
    results.append(result)
  }

  /// Prints the last area.
  mutating func finish() throws(AuthError) {
    defer { results = [] }
    guard let area, !results.isEmpty else { return }
    let count = results.count == 1 ? "1 case" : "\(results.count) cases"
    let failed = results.filter { $0.failure != nil }
    guard !failed.isEmpty else {
      return try StandardStreams.print(line: "ok      \(area) (\(count))")
    }
    try StandardStreams.print(line: "failed  \(area) (\(failed.count) of \(count))")
    for result in failed {
      try StandardStreams.print(line: "          \(result.name)")
      for line in result.failure?.lines ?? [] {
        try StandardStreams.print(line: "            \(line)")
      }
    }
  }
}
