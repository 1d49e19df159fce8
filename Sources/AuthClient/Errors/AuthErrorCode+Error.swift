public import Foundation

extension AuthErrorCode: CustomNSError {
  public static var errorDomain: String { AuthErrors.domain }

  public var errorCode: Int { rawValue }

  public var errorUserInfo: [String: Any] {
    [AuthErrors.userInfoNameKey: name, NSLocalizedDescriptionKey: sentence]
  }
}

extension AuthErrorCode: CustomStringConvertible {
  /// Every code, by rising number.
  public static var allCases: [AuthErrorCode] { table.keys.sorted().map(AuthErrorCode.init(_:)) }

  /// The `ERROR_…` name, which errors carry under ``AuthErrors/userInfoNameKey``.
  public var name: String { Self.table[rawValue]?.name ?? "" }

  /// What happened and what to do about it.
  var sentence: String { Self.table[rawValue]?.sentence ?? "" }

  public var description: String { name }

  /// Reads the code of an error; nil for an error of another domain, or with a number that is no code.
  public init?(_ error: any Error) {
    let error = error as NSError
    guard error.domain == AuthErrors.domain else { return nil }
    self.init(rawValue: error.code)
  }
}

/// Tells whether an error has a code, so that `catch AuthErrorCode.emailAlreadyInUse` catches it.
public func ~= (code: AuthErrorCode, error: any Error) -> Bool {
  AuthErrorCode(error) == code
}
