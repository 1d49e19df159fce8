import AuthCore
import LuaRuntime
import TerminalOutput

extension ConsoleOutput {
  /// The drawing that a host value is shown as; nil where it is described in a line.
  func drawing(of value: any Sendable) -> (any Drawing)? {
    switch value {
    case let trace as TraceView: trace
    case let plan as MergePlan: PlanText(plan: plan)
    case let graph as GraphView: TreeText(graph.tree)
    case let handle as RekeyHandle: RekeyText(handle: handle)
    default: nil
    }
  }

  /// The drawing of a host value as `tostring` and `print` give it, without colours.
  func drawn(_ value: any Sendable) -> String? {
    let profile = printing.profile.withoutColor
    return drawing(of: value)?.painted(for: profile).text(for: profile)
  }
}
