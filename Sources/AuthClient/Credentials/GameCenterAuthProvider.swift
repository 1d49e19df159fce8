public import Foundation

/// A stand-in for credentials of Game Center, for source compatibility.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRGameCenterAuthProvider)
#endif
public final class GameCenterAuthProvider: NSObject {
  /// The provider ID: `gc.apple.com`.
  public static let id = "gc.apple.com"

  /// Throws ``AuthErrorCode/gameKitNotLinked``.
  ///
  /// This module links no GameKit on any platform, and AuthGraph's server does not verify signatures of Game Center.
  public static func getCredential() async throws -> AuthCredential {
    throw NSError.auth(
      .gameKitNotLinked,
      message: "This client does not sign in with Game Center. Offer another way to sign in.")
  }

  /// Calls back on the main queue with the error of ``getCredential()``.
  public static func getCredential(completion: @escaping (AuthCredential?, (any Error)?) -> Void) {
    complete(completion) { try await getCredential() }
  }
}
