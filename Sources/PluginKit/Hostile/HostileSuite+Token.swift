import AuthCore
import FakeVendors
import LuaPlugins

extension HostileSuite {
  /// ID tokens that have to be refused.
  ///
  /// Tokens that are no attack on this sign-in are left out: those about a nonce if there is none, and those about
  /// the verification of the address, which the cases of the address cover.
  static func token(_ scene: Scene) async throws -> [HostileCase] {
    guard let claims = scene.rehearsal.idToken else { return [] }
    let readsClaims = try await scene.subjectLeaves().contains { $0.place == .idToken }
    guard scene.verifiesToken || readsClaims else { return [] }
    let forms = HostileToken.allCases.filter { form in
      form.mustBeRefused && (!form.needsNonce || claims["nonce"] != nil)
    }
    var cases = forms.map { form in
      var rehearsal = scene.rehearsal
      rehearsal.token = .hostile(form)
      return HostileCase(.token, "the ID token is \(form)", rehearsal) { outcome in
        outcome.log.hosts.contains(TransportTrouble.elsewhere)
          ? "no host that the token names may be requested" : scene.mustRefuse(outcome)
      }
    }
    cases += issuers(scene, claims)
    cases += nonces(scene, claims)
    return cases
  }

  private static func issuers(
    _ scene: Scene, _ claims: [String: JSONValue]
  ) -> [HostileCase] {
    guard let issuer = claims["iss"]?.stringValue else { return [] }
    let others = [
      (
        "with a slash more or less",
        issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer + "/"
      ),
      ("with another host behind its own", issuer + ".attacker.example"),
      ("in another spelling", issuer.uppercased()),
    ]
    // A declaration may list spellings of its issuer.
    let accepted = scene.runner.rule?.issuers ?? []
    return others.filter { !accepted.contains($0.1) }.map { what, other in
      var rehearsal = scene.rehearsal
      rehearsal.idToken?["iss"] = .string(other)
      return HostileCase(
        .token, "the ID token names the issuer \(what)", rehearsal, judge: scene.mustRefuse)
    }
  }

  private static func nonces(
    _ scene: Scene, _ claims: [String: JSONValue]
  ) -> [HostileCase] {
    guard claims["nonce"] != nil, scene.rehearsal.credential["nonce"] != nil else { return [] }
    var without = scene.rehearsal
    without.credential["nonce"] = nil
    var other = scene.rehearsal
    other.credential["nonce"] = "the-nonce-of-another-sign-in"
    return [
      HostileCase(.token, "the credential has no nonce", without, judge: scene.mustRefuse),
      HostileCase(.token, "the credential has another nonce", other, judge: scene.mustRefuse),
    ]
  }
}
