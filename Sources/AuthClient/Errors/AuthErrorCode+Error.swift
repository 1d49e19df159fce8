public import Foundation

extension AuthErrorCode: CustomNSError {
  /// The domain of every error: ``AuthErrors/domain``.
  public static var errorDomain: String { AuthErrors.domain }

  /// The number of the code.
  public var errorCode: Int { rawValue }

  /// The code's name and description.
  public var errorUserInfo: [String: Any] {
    [AuthErrors.userInfoNameKey: name, NSLocalizedDescriptionKey: sentence]
  }
}

extension AuthErrorCode: CustomStringConvertible {
  /// Every code, sorted by number.
  public static var allCases: [AuthErrorCode] { table.keys.sorted().map(AuthErrorCode.init(_:)) }

  /// The `ERROR_…` name, which errors have under ``AuthErrors/userInfoNameKey``.
  public var name: String { Self.table[rawValue]?.name ?? "" }

  /// The name of this type in code for older versions of Firebase's SDK.
  public typealias Code = AuthErrorCode

  /// Takes the number of an error, as older versions of Firebase's SDK spell it; see ``init(_:)``.
  public init(_nsError error: NSError) {
    self.init(error.code)
  }

  /// The code itself, as older versions of Firebase's SDK spell it.
  public var code: AuthErrorCode { self }

  /// A description of the problem and its remedy.
  var sentence: String { Self.table[rawValue]?.sentence ?? "" }

  /// The `ERROR_…` name.
  public var description: String { name }

  /// Returns the code of an error; nil for an error of another domain or with an unknown number.
  public init?(_ error: any Error) {
    let error = error as NSError
    guard error.domain == AuthErrors.domain else { return nil }
    self.init(rawValue: error.code)
  }
}

/// Returns true if an error has a code, so that `catch AuthErrorCode.emailAlreadyInUse` catches it.
public func ~= (code: AuthErrorCode, error: any Error) -> Bool {
  AuthErrorCode(error) == code
}
