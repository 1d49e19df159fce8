/// Whether an account that a record describes may be kept as it is, whoever else there is.
///
/// An import and an upload ask it alike.
extension Account {
  /// The refusal of a uid that nobody can have.
  var uidRefusal: AuthError? {
    do throws(AuthError) { _ = try AccountID(validating: id.rawValue) } catch { return error }
    return nil
  }

  /// The refusal of an account that no operation could have made; nil for one that may be kept.
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
