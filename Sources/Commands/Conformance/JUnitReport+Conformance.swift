import Conformance

extension JUnitReport {
  /// The results of a conformance run, with a suite for each area.
  init(_ report: ConformanceReport) {
    suites = report.areas.map { area, results in
      Suite(
        name: area,
        cases: results.map { result in
          Case(name: result.name, failure: result.failure?.lines.joined(separator: "\n"))
        })
    }
    guard report.unrun > 0 else { return }
    let reason = report.isInterrupted ? "The run was interrupted" : "The server stopped answering"
    let text = "\(reason), and \(report.unrun) cases were not run."
    suites.append(Suite(name: "the server", cases: [Case(name: "answers", error: text)]))
  }
}
