import LuaPlugins
import PluginKit

extension JUnitReport {
  /// The results of plug-ins' tests.
  init(_ reports: [PluginTestReport]) {
    suites = reports.filter { !$0.isUnmatched || $0.obstacle != nil }.map { report in
      guard report.obstacle == nil else {
        return Suite(name: report.file, cases: [Case(name: "the file", error: report.obstacle)])
      }
      return Suite(
        name: report.file,
        cases: report.cases.map { item in
          Case(
            name: "[\(item.group.rawValue)] \(item.name)", part: item.title,
            failure: item.failure, output: item.passed ? [] : item.log)
        })
    }
  }

  /// The findings of checks, which fail if they are errors, or in a strict check at all.
  init(_ findings: [(file: String, found: [PluginFinding])], isStrict: Bool) {
    suites = findings.map { file, found in
      let cases = found.map { finding in
        let fails = isStrict || finding.severity == .error
        return Case(
          name: "[\(finding.code)] line \(finding.line.map(String.init) ?? "-")",
          failure: fails ? finding.description : nil,
          output: fails ? [] : [finding.description])
      }
      return Suite(name: file, cases: cases.isEmpty ? [Case(name: "the check")] : cases)
    }
  }
}
