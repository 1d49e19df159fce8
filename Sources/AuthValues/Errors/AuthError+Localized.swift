public import Foundation

/// The texts of Foundation: `localizedDescription` is the message.
extension AuthError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
  /// The remedy.
  public var recoverySuggestion: String? { remedy }
}
