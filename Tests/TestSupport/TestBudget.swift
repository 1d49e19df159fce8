import Foundation

/// How far the long searches go: as far as a test may in the loop of a day, or further in `Scripts/soak`.
public enum TestBudget {
  /// Says if this run is a soak: `AUTHGRAPH_TEST_BUDGET=soak`.
  public static let isSoak = environment["AUTHGRAPH_TEST_BUDGET"] == "soak"

  /// How often something is done: what the variable of the environment says, if there is one.
  public static func count(_ variable: String, usual: Int, soak: Int? = nil) -> Int {
    environment[variable].flatMap(Int.init) ?? (isSoak ? soak ?? usual : usual)
  }

  /// The seed of a search: its own, unless `AUTHGRAPH_SEED` says another.
  public static func seed(usual: UInt64) -> UInt64 {
    environment["AUTHGRAPH_SEED"].flatMap(UInt64.init) ?? usual
  }

  private static let environment = ProcessInfo.processInfo.environment
}
