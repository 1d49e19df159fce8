import AuthCore
import LuaPlugins

extension BrowserRehearsal {
  /// Plays the callback of the scenario's code: its parameters give the same identity as the credential.
  func callback(giving identity: VerifiedIdentity) async throws -> [Finding] {
    guard runner.scenario.builder == AuthorizationGrant.builderName,
      let flow = runner.browserFlow
    else { return [] }
    let name = "the callback signs in"
    var findings: [Finding] = []
    var rehearsal = Rehearsal(runner.scenario)
    do {
      let taken = try flow.credentialFields(from: parameters)
      let own = runner.scenario.credential.filter { Self.addedFields.contains($0.key) }
      rehearsal.credential = taken.merging(own) { _, own in own }
      let outcome = try await runner.run(rehearsal)
      let isSame = outcome.identity.map { $0.key == identity.key } == true
      findings.append(
        Finding(
          name: name,
          failure: isSame
            ? nil
            : "The callback ended with \(outcome.text), and the fixture's credential with the "
              + "sign-in of \(identity.key?.subject ?? "nobody")."))
      findings.append(try await issuer(flow))
    } catch {
      findings.append(Finding(name: name, failure: Self.words(of: error)))
    }
    return findings
  }

  /// The vendor's callback: the state, and a parameter for each field that the plug-in takes from it.
  private var parameters: [String: String] {
    var parameters: [String: String] = [:]
    for (field, parameter) in runner.declaration.callbackParameters {
      guard let value = runner.scenario.credential[field] else { continue }
      guard parameter != "*" else {
        parameters.merge(URLText.uniqueFields(of: value) ?? [:]) { $1 }
        continue
      }
      parameters[parameter] = value
    }
    if parameters["state"] == nil, !runner.declaration.callbackParameters.values.contains("*") {
      parameters["state"] = "the-state-of-the-rehearsal"
    }
    return parameters
  }

  /// A callback that names the issuer of the ID token (RFC 9207) has to be accepted.
  private func issuer(_ flow: any AuthorizationFlow) async throws -> Finding {
    let name = "the callback may name the issuer"
    let wanted = try await flow.callbackIssuer(runner.context)
    guard let issuer = wanted.issuer, let named = runner.scenario.idToken?["iss"]?.stringValue,
      named != issuer
    else { return Finding(name: name, failure: nil) }
    return Finding(
      name: name,
      failure: "Callbacks have to name the issuer \(issuer), and the ID token is of \(named).")
  }
}
