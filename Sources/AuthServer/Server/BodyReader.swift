import HummingbirdCore
import IdentityToolkit
import IdentityToolkitService
import NIOCore

/// A reader of admitted requests' bodies, each within its limit and all within one budget.
struct BodyReader: Sendable {
  private let longestOfAdmin: Int
  private let longestOfClient: Int
  private let budget: BodyBudget

  init(_ configuration: HTTPConfiguration) {
    longestOfAdmin = configuration.maximumBodyBytes
    longestOfClient = min(configuration.maximumClientBodyBytes, configuration.maximumBodyBytes)
    budget = BodyBudget(
      total: max(configuration.maximumBodyBytesInFlight, longestOfAdmin),
      longestOfClient: longestOfClient)
  }

  /// Reads a body and passes it to the closure.
  ///
  /// Its bytes count against the budget until the closure returns.
  ///
  /// An announced length counts from the beginning; a body without one counts as it grows. Throws a `WireError` for a
  /// body that is too long or exceeds the budget, and the connection's errors.
  func read<Value>(
    _ body: RequestBody, of request: AdmittedRequest, announced: Int?,
    _ use: ([UInt8]) async throws -> Value
  ) async throws -> Value {
    let limit = request.isAdmins ? longestOfAdmin : longestOfClient
    let address = request.isAdmins ? nil : request.head.countedAs
    var held = 0
    defer { budget.giveBack(held, of: address) }
    func hold(_ count: Int) throws(WireError) {
      guard count <= limit else { throw .bodyTooLong(limit: limit) }
      guard count > held else { return }
      guard budget.take(count - held, for: address) else { throw .tooManyBodies }
      held = count
    }
    try hold(announced ?? 0)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(held)
    for try await part in body {
      try hold(bytes.count + part.readableBytes)
      bytes.append(contentsOf: part.readableBytesView)
    }
    return try await use(bytes)
  }
}
