import Foundation

/// Does work in the background and calls back on the main queue.
func complete<Value: Sendable>(
  _ completion: ((Value?, (any Error)?) -> Void)?,
  _ work: @escaping @Sendable () async throws -> Value
) {
  let callback = MainCallback<Result<Value, any Error>> { result in
    switch result {
    case .success(let value): completion?(value, nil)
    case .failure(let error): completion?(nil, error)
    }
  }
  Task {
    do {
      callback.call(with: .success(try await work()))
    } catch {
      callback.call(with: .failure(error))
    }
  }
}

/// Does work in the background and calls back on the main queue.
func complete(
  _ completion: (((any Error)?) -> Void)?, _ work: @escaping @Sendable () async throws -> Void
) {
  let callback = MainCallback<(any Error)?> { completion?($0) }
  Task {
    do {
      try await work()
      callback.call(with: nil)
    } catch {
      callback.call(with: error)
    }
  }
}

/// A closure of a caller who waits for nothing: made on any thread, called once, on the main one.
private struct MainCallback<Value: Sendable>: @unchecked Sendable {
  // The closure is handed to the main queue and touched nowhere else.
  private let body: (Value) -> Void

  init(_ body: @escaping (Value) -> Void) {
    self.body = body
  }

  func call(with value: Value) {
    DispatchQueue.main.async { body(value) }
  }
}
