import AuthCore
import UserFiles

extension AccountGraph {
  /// The way of authenticator apps' secrets between a file, where they are plain, and the store, where they are sealed.
  func totpSecrets(in scope: Scope) -> RecordDoor.TOTPSecrets {
    RecordDoor.TOTPSecrets(
      seal: { try sealTOTP(Secret($0), of: $1, in: scope) },
      open: { openTOTP($0, in: scope)?.reveal() })
  }
}
