public import Foundation

/// A failure to read, write or remove the stored user.
///
/// ``Auth`` throws it underneath ``AuthErrorCode/keychainError``.
public struct SessionStorageError: Error, Hashable, Sendable {
  /// The place of the failure: a path, or a Keychain item.
  public let place: String
  /// The problem, as the rest of a sentence that begins with ``place``.
  public let message: String
  /// The remedy.
  public let remedy: String
  /// The `errno` or the `OSStatus`, if the system returned one.
  public let status: Int32?

  /// Makes an error.
  public init(place: String, message: String, remedy: String, status: Int32? = nil) {
    self.place = place
    self.message = message
    self.remedy = remedy
    self.status = status
  }
}

extension SessionStorageError: CustomStringConvertible, LocalizedError {
  /// The place, the problem and the remedy.
  public var description: String { "\(place) \(message) \(remedy)" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The place and the problem.
  public var failureReason: String? { "\(place) \(message)" }
  /// The remedy.
  public var recoverySuggestion: String? { remedy }
}
