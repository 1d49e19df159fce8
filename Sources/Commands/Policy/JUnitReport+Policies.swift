import LuaPlugins

extension JUnitReport {
  /// The results of policies; the coverage is the property `coverage`, and a case if it must be complete.
  init(_ reports: [PolicyTestReport], mustBeComplete: Bool) {
    suites = reports.map { Self.suite($0, mustBeComplete: mustBeComplete) }
  }

  private static func suite(_ report: PolicyTestReport, mustBeComplete: Bool) -> Suite {
    guard report.obstacle == nil else {
      return Suite(name: report.file, cases: [Case(name: "the file", error: report.obstacle)])
    }
    var cases = report.examples.map { example in
      Case(name: example.name, failure: example.failure, output: example.log)
    }
    guard let coverage = report.coverage else { return Suite(name: report.file, cases: cases) }
    if mustBeComplete {
      cases.append(Case(name: "coverage", failure: coverage.isComplete ? nil : coverage.text))
    }
    return Suite(
      name: report.file, properties: [(name: "coverage", value: coverage.text)], cases: cases)
  }
}
