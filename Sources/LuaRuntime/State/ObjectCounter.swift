import CLuaShim
import Synchronization

/// A counter of the Swift objects that the Lua side of one state holds.
///
/// It can be read after the state is gone, to prove that nothing leaked.
package final class ObjectCounter: Sendable {
  private let number = Atomic<Int>(0)
  /// The number of living objects.
  package var count: Int { number.load(ordering: .relaxed) }
  func born() { number.add(1, ordering: .relaxed) }
  func gone() { number.subtract(1, ordering: .relaxed) }
}

// Access for tests to internals that scripts and hosts cannot reach.
extension LuaState {
  /// Makes the k-th allocation of a script fail; 0 turns that off.
  package func failAllocation(_ k: Int) { ls_fail_allocation(vm, Int64(k)) }

  /// The number of allocations since `failAllocation`.
  package var allocationCount: Int { Int(ls_allocation_count(vm)) }

  /// Returns the string library that Lua ships, for comparisons with ours.
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
