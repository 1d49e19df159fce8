import AuthCore
import LuaRuntime
import TerminalOutput

extension ConsoleOutput {
  /// Returns the drawing of a host value; nil if it is described in one line.
  func drawing(of value: any Sendable) -> (any Drawing)? {
    switch value {
    case let trace as TraceView: trace
    case let receipt as Receipt where receipt.dryRun: ReceiptText(receipt: receipt)
    case let policy as PolicyView: policy
    case let view as any ProvingView: view
    case let replay as ReplayView: replay
    case let diff as PolicyDiff: diff
    case let plan as MergePlan: PlanText(plan: plan)
    case let plan as TransferPlan: TransferText(plan: plan)
    case let list as MergeListHandle: MergeListText(list: list)
    case let batch as MergeBatchView: batch
    case let graph as GraphView: graph
    case let view as RehearsalView: RehearsalText(view: view)
    case let handle as RekeyHandle: RekeyText(handle: handle)
    default: nil
    }
  }

  /// Returns the drawing of a host value for `tostring` and `print`, without colours.
  func drawn(_ value: any Sendable) -> String? {
    let profile = printingProfile.withoutColor
    return drawing(of: value)?.painted(for: profile).text(for: profile)
  }
}
