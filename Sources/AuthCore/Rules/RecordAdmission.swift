/// Checks that an account from a record may be stored as it is, apart from other accounts.
///
/// Imports and uploads share these checks.
extension Account {
  /// The refusal of an invalid uid; nil for a valid one.
  var uidRefusal: AuthError? {
    do throws(AuthError) { _ = try AccountID(validating: id.rawValue) } catch { return error }
    return nil
  }

  /// The refusal of an account that no operation could have made; nil for a valid one.
  var recordRefusal: AuthError? {
    if let refusal = uidRefusal { return refusal }
    if let fault = faults.first { return fault.refusal }
    let keys = identities.flatMap(\.keys)
    if Set(keys).count < keys.count {
      return AuthError(
        .invalidArgument, "The record has an identity twice.", field: "providerUserInfo",
        remedy: "Name each identity once.", step: .decision)
    }
    var changes = ProfileChanges()
    changes.secondFactors = secondFactors
    do throws(AuthError) { try changes.check() } catch { return error }
    return nil
  }
}
