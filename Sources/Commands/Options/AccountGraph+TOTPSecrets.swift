import AuthCore
import UserFiles

extension AccountGraph {
  /// Returns the conversion of authenticator apps' secrets, which are plain in a file and sealed in the store.
  func totpSecrets(in scope: Scope) -> RecordDoor.TOTPSecrets {
    RecordDoor.TOTPSecrets(
      seal: { try sealTOTP(Secret($0), of: $1, in: scope) },
      open: { openTOTP($0, in: scope)?.reveal() })
  }
}
