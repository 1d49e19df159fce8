import NIOConcurrencyHelpers

/// A server's mutable state: its requests and its ordered faults.
final class ServerLog: Sendable {
  private struct Order {
    let behavior: HostileTransport
    var times: Int?
  }

  private struct Waiter {
    let id: Int
    let path: String
    let count: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Contents {
    var requests: [VendorRequest] = []
    var orders: [String?: Order] = [:]
    var routes: VendorServer.Routes = { _ in nil }
    var waiters: [Waiter] = []
    var waiterCount = 0
    var slowness: Duration = .seconds(1)
    var spared: Set<String> = []
    var requestLimit: Int?

    func count(to path: String) -> Int { requests.count { $0.path == path } }
  }

  private let contents = NIOLockedValueBox(Contents())

  var requests: [VendorRequest] { contents.withLockedValue(\.requests) }

  var slowness: Duration {
    get { contents.withLockedValue(\.slowness) }
    set { contents.withLockedValue { $0.slowness = newValue } }
  }

  /// The paths that never show a fault.
  var spared: Set<String> {
    get { contents.withLockedValue(\.spared) }
    set { contents.withLockedValue { $0.spared = newValue } }
  }

  /// The number of requests to keep; nil for all.
  var requestLimit: Int? {
    get { contents.withLockedValue(\.requestLimit) }
    set { contents.withLockedValue { $0.requestLimit = newValue } }
  }

  func answer(with routes: @escaping VendorServer.Routes) {
    contents.withLockedValue { $0.routes = routes }
  }

  func forget() {
    contents.withLockedValue { $0.requests = [] }
  }

  func misbehave(_ behavior: HostileTransport?, at path: String?, times: Int?) {
    contents.withLockedValue {
      $0.orders[path] = behavior.map { Order(behavior: $0, times: times) }
    }
  }

  func behaveEverywhere() {
    contents.withLockedValue { $0.orders = [:] }
  }

  /// Records a request.
  func note(_ request: VendorRequest) {
    let reached = contents.withLockedValue { contents in
      contents.requests.append(request)
      if let limit = contents.requestLimit, contents.requests.count > limit {
        contents.requests.removeFirst(contents.requests.count - limit)
      }
      let reached = contents.waiters.filter { contents.count(to: $0.path) >= $0.count }
      let over = Set(reached.map(\.id))
      contents.waiters.removeAll { over.contains($0.id) }
      return reached
    }
    reached.forEach { $0.continuation.resume() }
  }

  /// The fault for a request, and the honest answer.
  func answer(to request: VendorRequest) -> (HostileTransport?, VendorResponse) {
    let (behavior, routes) = contents.withLockedValue { contents -> (HostileTransport?, _) in
      guard !contents.spared.contains(request.path) else { return (nil, contents.routes) }
      let path = contents.orders[request.path] == nil ? nil : request.path
      let order = contents.orders[path]
      if let order, let times = order.times {
        contents.orders[path] = times > 1 ? Order(behavior: order.behavior, times: times - 1) : nil
      }
      return (order?.behavior, contents.routes)
    }
    return (behavior, routes(request) ?? .notFound)
  }

  /// Waits until enough requests to a path have arrived; throws if the task is cancelled first.
  func wait(for count: Int, to path: String) async throws {
    let id = contents.withLockedValue { contents in
      contents.waiterCount += 1
      return contents.waiterCount
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = contents.withLockedValue { contents in
          guard contents.count(to: path) < count else { return true }
          contents.waiters.append(
            Waiter(id: id, path: path, count: count, continuation: continuation))
          return false
        }
        if isOver { continuation.resume() }
        // A cancellation before the waiter was registered has resumed nothing.
        if Task.isCancelled { giveUp(id) }
      }
    } onCancel: {
      giveUp(id)
    }
  }

  private func giveUp(_ id: Int) {
    let waiter = contents.withLockedValue { contents in
      let waiter = contents.waiters.first { $0.id == id }
      contents.waiters.removeAll { $0.id == id }
      return waiter
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }
}
