import LuaPlugins
import PluginKit
import Testing

/// Plug-ins that are wrong on purpose, each with the cases that have to fail in its first lines.
@Suite struct `Cases of faulty plug-ins` {
  @Test(arguments: try FaultyFile.all(in: "Cases", "fails"))
  func `what is wrong fails a case that names it`(_ file: FaultyFile) async throws {
    let report = await PluginTest().run(file: file.path)

    #expect(report.obstacle == nil)
    #expect(!report.passed)
    for expected in file.expectations {
      let failed = report.failures.contains {
        $0.group.rawValue == expected.kind && $0.failure?.contains(expected.text) == true
      }
      let failures = report.failures.map { "\($0.group): \($0.failure ?? "")" }
      #expect(failed, "\(expected) is not among \(failures.joined(separator: "\n"))")
    }
  }

  @Test func `every group of cases has a faulty plug-in`() throws {
    let covered = Set(try FaultyFile.all(in: "Cases", "fails").flatMap(\.expectations).map(\.kind))

    #expect(covered == Set(PluginTestReport.Group.allCases.map(\.rawValue)))
  }

  @Test func `one case can be asked for by its name`() async throws {
    let file = try FaultyFile.named("verified-by-truth", in: "Cases")

    let report = await PluginTest(filter: "gives \"yes\" as verified").run(file: file)

    #expect(report.cases.count == 1)
    #expect(report.failures.first?.failure?.contains("the address should be unverified") == true)
  }

  @Test func `a case that is not there is told`() async throws {
    let file = try FaultyFile.named("verified-by-truth", in: "Cases")

    let report = await PluginTest(filter: "no such case").run(file: file)

    #expect(report.obstacle?.contains("has no case \"no such case\"") == true)
  }
}
