import Foundation

/// How much the long searches do: what the environment says when the tests begin.
///
/// `AUTHGRAPH_TEST_BUDGET` is `quick`, `usual` (also where it is not set) or `soak`; `AUTHGRAPH_SOAK_SECONDS` is how long a
/// search may go on that ends by the clock; `AUTHGRAPH_SEED` repeats a run's choices.
public enum TestBudget: String, Sendable {
  case quick, usual, soak

  /// The budget of this run.
  public static let current: TestBudget = {
    guard let word = environment["AUTHGRAPH_TEST_BUDGET"], !word.isEmpty else { return .usual }
    guard let budget = TestBudget(rawValue: word) else {
      fatalError("AUTHGRAPH_TEST_BUDGET is quick, usual or soak, and not \(word).")
    }
    return budget
  }()

  /// What `AUTHGRAPH_SOAK_SECONDS` says.
  public static let soakSeconds: Int? = number("AUTHGRAPH_SOAK_SECONDS")

  /// How often something is done, unless a variable of the environment says it.
  public static func count(
    _ variable: String? = nil, quick: Int? = nil, usual: Int, soak: Int? = nil
  ) -> Int {
    if let variable, let number = number(variable) { return number }
    return switch current {
    case .quick: quick ?? usual
    case .usual: usual
    case .soak: soak ?? usual
    }
  }

  /// For how many seconds something goes on, unless a variable of the environment says it.
  ///
  /// In a soak it is what `AUTHGRAPH_SOAK_SECONDS` says, where that is set.
  public static func seconds(_ variable: String? = nil, quick: Int? = nil, usual: Int) -> Int {
    count(variable, quick: quick, usual: usual, soak: soakSeconds)
  }

  /// The seed of a search: its own, unless a variable of the environment says another.
  public static func seed(_ variable: String = "AUTHGRAPH_SEED", usual: UInt64) -> UInt64 {
    environment[variable].flatMap(UInt64.init) ?? usual
  }

  private static let environment = ProcessInfo.processInfo.environment

  private static func number(_ variable: String) -> Int? {
    environment[variable].flatMap(Int.init)
  }
}
