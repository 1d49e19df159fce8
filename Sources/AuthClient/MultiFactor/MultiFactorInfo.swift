public import Foundation

/// A second factor of an account.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRMultiFactorInfo)
#endif
public class MultiFactorInfo: NSObject, @unchecked Sendable {
  // Nothing of it changes, nor of its subclasses, so it may be read from everywhere.
  fileprivate let stored: StoredFactor

  fileprivate init(_ stored: StoredFactor) {
    self.stored = stored
  }

  public var uid: String { stored.uid }
  /// The name that its owner gave it.
  public var displayName: String? { stored.displayName }
  /// When it was enrolled; `distantPast` where the server does not say.
  public var enrollmentDate: Date { stored.enrolledAt }
  /// `phone` or `totp`.
  public var factorID: String { stored.kind.rawValue }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? MultiFactorInfo)?.stored == stored
  }

  public override var hash: Int { stored.hashValue }
}

/// A phone that codes are sent to.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRPhoneMultiFactorInfo)
#endif
public final class PhoneMultiFactorInfo: MultiFactorInfo, @unchecked Sendable {
  /// The ``MultiFactorInfo/factorID`` of a phone.
  public static let PhoneMultiFactorID = "phone"
  /// The ``MultiFactorInfo/factorID`` of an authenticator app.
  public static let TOTPMultiFactorID = "totp"

  /// The number; at a sign-in all but its last digits are hidden.
  public var phoneNumber: String { stored.phoneNumber ?? "" }
}

/// An authenticator app.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRTOTPMultiFactorInfo)
#endif
public final class TOTPMultiFactorInfo: MultiFactorInfo, @unchecked Sendable {}

extension StoredFactor {
  var info: MultiFactorInfo {
    switch kind {
    case .phone: PhoneMultiFactorInfo(self)
    case .totp: TOTPMultiFactorInfo(self)
    }
  }
}
