import AuthCore
import Foundation
import LuaPlugins

/// Results of tests in the XML of JUnit, which services for continuous integration read.
///
/// A file is a `testsuite`, an example a `testcase`. A file that cannot be tested has one case with an `error`. The
/// coverage is the property `coverage` of the suite; if it must be complete, it is a case as well.
struct JUnitReport {
  private let reports: [PolicyTestReport]
  private let mustBeComplete: Bool

  init(_ reports: [PolicyTestReport], mustBeComplete: Bool) {
    self.reports = reports
    self.mustBeComplete = mustBeComplete
  }

  /// Writes the report in place of what the file holds; throws `invalid-argument` if it cannot be written.
  func write(to path: String) throws(AuthError) {
    do {
      try Data(xml.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw AuthError(
        .invalidArgument, "The file \(path) cannot be written.", field: "junit",
        remedy: "Check the folder and its permissions.", cause: error)
    }
  }

  var xml: String {
    let suites = reports.map(suite)
    let counts = Self.counts(suites.flatMap(\.cases))
    let parts = suites.map { suite in
      """
        <testsuite name="\(Self.escaped(suite.name))" \(Self.counts(suite.cases))>
      \(suite.properties + suite.cases.map { $0.xml(of: suite.name) }.joined())  </testsuite>

      """
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n"
      + parts.joined() + "</testsuites>\n"
  }

  private struct Case {
    let name: String
    var failure: String?
    var error: String?
    var output: [String] = []

    func xml(of suite: String) -> String {
      var inside = ""
      if let failure {
        inside += "      <failure message=\"\(escaped(failure))\"/>\n"
      }
      if let error { inside += "      <error message=\"\(escaped(error))\"/>\n" }
      if !output.isEmpty {
        inside += "      <system-out>\(escaped(output.joined(separator: "\n")))</system-out>\n"
      }
      let head = "    <testcase classname=\"\(escaped(suite))\" name=\"\(escaped(name))\""
      return inside.isEmpty ? "\(head)/>\n" : "\(head)>\n\(inside)    </testcase>\n"
    }
  }

  private struct Suite {
    let name: String
    let properties: String
    let cases: [Case]
  }

  private func suite(_ report: PolicyTestReport) -> Suite {
    guard report.obstacle == nil else {
      return Suite(
        name: report.file, properties: "", cases: [Case(name: "the file", error: report.obstacle)])
    }
    var cases = report.examples.map { example in
      Case(name: example.name, failure: example.failure, output: example.log)
    }
    guard let coverage = report.coverage else {
      return Suite(name: report.file, properties: "", cases: cases)
    }
    if mustBeComplete {
      cases.append(
        Case(name: "coverage", failure: coverage.isComplete ? nil : coverage.text))
    }
    let value = Self.escaped(coverage.text)
    return Suite(
      name: report.file,
      properties:
        "    <properties>\n      <property name=\"coverage\" value=\"\(value)\"/>\n    </properties>\n",
      cases: cases)
  }

  private static func counts(_ cases: [Case]) -> String {
    "tests=\"\(cases.count)\" failures=\"\(cases.count { $0.failure != nil })\" "
      + "errors=\"\(cases.count { $0.error != nil })\""
  }

  /// The text for XML 1.0, in which most control characters cannot be written at all.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t", "\r": result += "&#\(scalar.value);"
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
