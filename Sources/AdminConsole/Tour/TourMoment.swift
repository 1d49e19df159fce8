import AuthCore
import LuaRuntime

/// The effect of an input during the tour: its results or its error, and the store.
struct TourMoment {
  let session: ConsoleSession
  let state: LuaState
  /// The results of the input; tables are references.
  let results: [LuaValue]
  /// The code of the error with which the input ended, if it did.
  let errorCode: String?

  /// Returns the first result, or the first element of a list that is the first result.
  private var subject: LuaValue? {
    guard case .reference(let list)? = results.first, list.typeName == "table" else {
      return results.first
    }
    return state.element(1, of: list)
  }

  /// Tells whether the first result, or the first element of its list, is an object of a type.
  func showed<Value>(_: Value.Type) -> Bool { subject?.objectValue?.value is Value }

  /// The number of elements of the first result, if it is a list.
  var count: Int {
    guard case .reference(let list)? = results.first, list.typeName == "table" else { return 0 }
    return state.length(of: list)
  }

  /// Returns the value of a global variable, if it is an object of a type.
  func global<Value>(_ name: String, _: Value.Type) -> Value? {
    state.get(name).objectValue?.value as? Value
  }

  /// Returns the account that a uid leads to; nil if there is none or the store cannot be read.
  func account(_ uid: String) -> Account? {
    (try? session.wait { try await $0.account(AccountID(uid), in: $1) }) ?? nil
  }
}
