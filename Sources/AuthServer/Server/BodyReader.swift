import HummingbirdCore
import IdentityToolkit
import IdentityToolkitService
import NIOCore

/// Reads the bodies of admitted requests, each within its limit and all within one budget.
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

  /// Reads a body and hands it on; its bytes count against the budget until that has come to its end.
  ///
  /// A length that was announced counts from the beginning, and a body without one as it grows. Throws a `WireError`
  /// for a body that is too long or does not fit into the budget, and what the connection throws.
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
