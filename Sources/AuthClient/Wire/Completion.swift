import Foundation

/// Runs work in the background and calls back on the main queue.
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

/// Runs work in the background and calls back on the main queue.
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

/// A completion, made on any thread and called once on the main one.
private struct MainCallback<Value: Sendable>: @unchecked Sendable {
  // The closure is passed to the main queue and used nowhere else.
  private let body: (Value) -> Void

  init(_ body: @escaping (Value) -> Void) {
    self.body = body
  }

  func call(with value: Value) {
    DispatchQueue.main.async { body(value) }
  }
}
