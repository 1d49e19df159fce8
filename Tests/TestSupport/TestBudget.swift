import Foundation

/// The extent of long searches: short enough for daily work, or longer in `Scripts/soak`.
public enum TestBudget {
  /// True if this run is a soak: `AUTHGRAPH_TEST_BUDGET=soak`.
  public static let isSoak = environment["AUTHGRAPH_TEST_BUDGET"] == "soak"

  /// Returns the number of repetitions: the value of an environment variable if it is set, or else a default.
  public static func count(_ variable: String, usual: Int, soak: Int? = nil) -> Int {
    environment[variable].flatMap(Int.init) ?? (isSoak ? soak ?? usual : usual)
  }

  /// Returns the seed of a search: `AUTHGRAPH_SEED` if it is set, or else `usual`.
  public static func seed(usual: UInt64) -> UInt64 {
    environment["AUTHGRAPH_SEED"].flatMap(UInt64.init) ?? usual
  }

  private static let environment = ProcessInfo.processInfo.environment
}
