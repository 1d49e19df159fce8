public import Foundation

/// Reports that the stored user could not be read, written or removed.
///
/// ``Auth`` throws it beneath ``AuthErrorCode/keychainError``.
public struct SessionStorageError: Error, Hashable, Sendable {
  /// What the trouble is with: a path, or an item of the keychain.
  public let place: String
  /// What is wrong with it, as the rest of a sentence that begins with ``place``.
  public let message: String
  /// What may help.
  public let remedy: String
  /// The `errno` or the `OSStatus`, where the system gave one.
  public let status: Int32?

  public init(place: String, message: String, remedy: String, status: Int32? = nil) {
    self.place = place
    self.message = message
    self.remedy = remedy
    self.status = status
  }
}

extension SessionStorageError: CustomStringConvertible, LocalizedError {
  public var description: String { "\(place) \(message) \(remedy)" }
  public var errorDescription: String? { description }
  public var failureReason: String? { "\(place) \(message)" }
  public var recoverySuggestion: String? { remedy }
}
