import AuthCore
import Foundation

/// Results of tests in the XML of JUnit, which services for continuous integration read.
///
/// A file is a `testsuite`, an example or a case a `testcase`. A file that cannot be tested has one case with an
/// `error`.
struct JUnitReport {
  var suites: [Suite]

  /// The results of one file.
  struct Suite {
    let name: String
    var properties: [(name: String, value: String)] = []
    let cases: [Case]
  }

  /// The result of one case.
  struct Case {
    let name: String
    /// The part of the file that the case belongs to; nil for the file itself.
    var part: String?
    var failure: String?
    var error: String?
    var output: [String] = []
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
    let counts = Self.counts(suites.flatMap(\.cases))
    let parts = suites.map { suite in
      """
        <testsuite name="\(Self.escaped(suite.name))" \(Self.counts(suite.cases))>
      \(Self.xml(suite.properties) + suite.cases.map { Self.xml($0, of: suite.name) }.joined())  </testsuite>

      """
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n"
      + parts.joined() + "</testsuites>\n"
  }

  private static func xml(_ properties: [(name: String, value: String)]) -> String {
    guard !properties.isEmpty else { return "" }
    let lines = properties.map {
      "      <property name=\"\(escaped($0.name))\" value=\"\(escaped($0.value))\"/>\n"
    }
    return "    <properties>\n\(lines.joined())    </properties>\n"
  }

  private static func xml(_ item: Case, of suite: String) -> String {
    var inside = ""
    if let failure = item.failure {
      inside += "      <failure message=\"\(escaped(failure))\"/>\n"
    }
    if let error = item.error { inside += "      <error message=\"\(escaped(error))\"/>\n" }
    if !item.output.isEmpty {
      inside += "      <system-out>\(escaped(item.output.joined(separator: "\n")))</system-out>\n"
    }
    let place = item.part.map { "\(suite): \($0)" } ?? suite
    let head = "    <testcase classname=\"\(escaped(place))\" name=\"\(escaped(item.name))\""
    return inside.isEmpty ? "\(head)/>\n" : "\(head)>\n\(inside)    </testcase>\n"
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
