public import AuthValues

/// The results of a run.
public struct ConformanceReport: Sendable {
  /// The result of one case.
  public struct Result: Sendable {
    /// The part of the protocol.
    public let area: String
    /// The promise.
    public let name: String
    /// The first answer that was not the expected one; nil if all were.
    public let failure: CaseFailure?
  }

  /// The results in the order of the run.
  public internal(set) var results: [Result] = []
  /// True if the run was interrupted.
  public internal(set) var isInterrupted = false
  /// The number of cases that were not run, because the server stopped answering or the run was interrupted.
  public internal(set) var unrun = 0
  /// The number of accounts, tenants and settings that could not be put back.
  public internal(set) var left = 0

  /// True if every case was run and got the expected answers.
  public var passed: Bool { unrun == 0 && left == 0 && failures.isEmpty }

  /// The results of failed cases.
  public var failures: [Result] { results.filter { $0.failure != nil } }

  /// The areas in the order of the run, with their results.
  public var areas: [(name: String, results: [Result])] {
    var order: [String] = []
    for result in results where !order.contains(result.area) { order.append(result.area) }
    return order.map { area in (area, results.filter { $0.area == area }) }
  }

  /// The report as `--json` prints it.
  public var json: JSONValue {
    [
      "passed": .bool(passed), "cases": .integer(Int64(results.count)),
      "failed": .integer(Int64(failures.count)), "unrun": .integer(Int64(unrun)),
      "interrupted": .bool(isInterrupted),
      "left": .integer(Int64(left)),
      "results": .array(
        results.map { result in
          [
            "area": .string(result.area), "name": .string(result.name),
            "passed": .bool(result.failure == nil), "failure": result.failure?.json ?? .null,
          ]
        }),
    ]
  }
}
