import AuthCore

extension HostileSuite {
  /// The vendor's server fails at each request in turn.
  static func transport(_ scene: Scene) -> [HostileCase] {
    var targets: [VendorTarget] = []
    for target in scene.log.asked where !targets.contains(target) { targets.append(target) }
    return targets.flatMap { target in
      TransportTrouble.allCases.filter { isTrouble($0, at: target, scene) }.map { trouble in
        var rehearsal = scene.rehearsal
        rehearsal.trouble = (target, trouble)
        return HostileCase(.transport, "\(scene.title(of: target)) \(trouble)", rehearsal) {
          verdict($0, trouble)
        }
      }
    }
  }

  /// Tells whether a fault applies: a body that is not read cannot be spoilt.
  private static func isTrouble(
    _ trouble: TransportTrouble, at target: VendorTarget, _ scene: Scene
  ) -> Bool {
    guard trouble.isInBody, case .exchange(let index) = target else { return true }
    let response = scene.rehearsal.exchanges[index].response
    return (200..<300).contains(response.status) && response.body != .none
  }

  private static func verdict(_ outcome: Outcome, _ trouble: TransportTrouble) -> String? {
    if outcome.log.hosts.contains(TransportTrouble.elsewhere) {
      return "no request may follow a redirect"
    }
    guard let error = outcome.refusal else {
      return "it should have been refused with network-request-failed"
    }
    let mayBeRefusal = trouble == .refusal || trouble.isInBody
    let codes: [AuthError.Code] =
      mayBeRefusal ? [.networkRequestFailed, .invalidCredential] : [.networkRequestFailed]
    guard !codes.contains(error.code) else { return nil }
    return "its code should have been \(codes[0])"
  }
}
