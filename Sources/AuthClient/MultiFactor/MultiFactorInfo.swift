public import Foundation

/// A second factor of an account.
#if canImport(ObjectiveC)
  @objc(FIRMultiFactorInfo)
#endif
public class MultiFactorInfo: NSObject, @unchecked Sendable {
  // Unchecked because a class with subclasses cannot be checked. All stored properties are constants.
  fileprivate let stored: StoredFactor

  fileprivate init(_ stored: StoredFactor) {
    self.stored = stored
  }

  /// The enrolment's ID.
  public var uid: String { stored.uid }
  /// The name that the account's owner gave the factor.
  public var displayName: String? { stored.displayName }
  /// The time of the enrolment; `distantPast` if the server does not report it.
  public var enrollmentDate: Date { stored.enrolledAt }
  /// The kind of factor: `phone` or `totp`.
  public var factorID: String { stored.kind.rawValue }

  /// Returns true for a factor with the same values.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? MultiFactorInfo)?.stored == stored
  }

  /// A hash of all values.
  public override var hash: Int { stored.hashValue }
}

/// A phone that receives codes.
#if canImport(ObjectiveC)
  @objc(FIRPhoneMultiFactorInfo)
#endif
public final class PhoneMultiFactorInfo: MultiFactorInfo, @unchecked Sendable {
  /// The ``MultiFactorInfo/factorID`` of a phone.
  public static let PhoneMultiFactorID = "phone"
  /// The ``MultiFactorInfo/factorID`` of an authenticator app.
  public static let TOTPMultiFactorID = "totp"

  /// The number.
  ///
  /// At sign-in all but its last digits are hidden.
  public var phoneNumber: String { stored.phoneNumber ?? "" }
}

/// An authenticator app.
#if canImport(ObjectiveC)
  @objc(FIRTOTPMultiFactorInfo)
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
