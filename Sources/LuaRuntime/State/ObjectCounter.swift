import CLuaShim
import Synchronization

/// Counts the Swift objects that the Lua side of one state holds.
///
/// It may be asked after the state is gone, to prove that nothing was lost.
package final class ObjectCounter: Sendable {
  private let number = Atomic<Int>(0)
  /// Counts those alive.
  package var count: Int { number.load(ordering: .relaxed) }
  func born() { number.add(1, ordering: .relaxed) }
  func gone() { number.subtract(1, ordering: .relaxed) }
}

/// Lets tests look where scripts and hosts cannot.
extension LuaState {
  /// Refuses the k-th allocation that a script makes; 0 ends that.
  package func failAllocation(_ k: Int) { ls_fail_allocation(vm, Int64(k)) }

  /// Counts the allocations since `failAllocation`.
  package var allocationCount: Int { Int(ls_allocation_count(vm)) }

  /// Keeps the string library that Lua ships, to compare ours with.
  package func stockStrings() -> LuaValue {
    ls_push_stock_string(current)
    return .reference(takeReference(current))
  }

  /// Collects all garbage now.
  package func collectGarbage() {
    drain()
    _ = ls_collect(vm)
  }
}
