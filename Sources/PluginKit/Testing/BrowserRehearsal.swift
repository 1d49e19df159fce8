import AuthCore
import Crypto
import Foundation
import LuaPlugins

/// The browser's half of a sign-in, played without a browser: the address, and the vendor's callback.
///
/// A plug-in whose fixture signs people in may still be unusable in a browser: its address has no state, its callback
/// fills a field that does not exist, or its function raises an error.
struct BrowserRehearsal {
  let runner: ScenarioRunner

  /// One thing that a browser needs; a failure says what is wrong and what to do.
  struct Finding {
    let name: String
    var failure: String?
  }

  /// The findings; none for a provider without a sign-in by browser.
  func findings() async throws -> [Finding] {
    guard let flow = runner.browserFlow else { return [] }
    let grant = self.grant
    let url: String
    do {
      url = try await flow.authorizationURL(grant, runner.context)
    } catch let error as AuthError where error.code == .operationNotAllowed && !isByCode {
      // The fixture sets up another way to sign in alone.
      return []
    } catch {
      return [
        Finding(
          name: "authorize gives an address",
          failure: Self.words(of: error) + " No browser can start a sign-in.")
      ]
    }
    var findings = [Finding(name: "authorize gives an address", failure: nil)]
    let address = BrowserAddress(url)
    findings += address.findings(for: grant, of: runner)
    findings.append(callbackFields())
    return findings
  }

  private var isByCode: Bool { runner.scenario.builder == AuthorizationGrant.builderName }

  /// The values of the scenario's own code, or made-up ones.
  private var grant: AuthorizationGrant {
    let fields = isByCode ? runner.scenario.credential : [:]
    return AuthorizationGrant(
      state: "the-state-of-the-rehearsal", nonce: fields["nonce"] ?? "the-nonce-of-the-rehearsal",
      codeVerifier: Secret(
        fields["codeVerifier"] ?? "the-code-verifier-of-the-rehearsal-has-43-letters-or-more"),
      redirectURI: fields["redirectURI"] ?? "https://app.example/rehearsal/callback")
  }

  /// The fields that the graph itself adds to the credential of a callback.
  static let addedFields = ["redirectURI", "codeVerifier", "nonce"]

  private func callbackFields() -> Finding {
    let name = "the callback fills the credential"
    let builder = runner.declaration.builders.first { $0.name == AuthorizationGrant.builderName }
    let declared = builder?.fields ?? []
    let parameters = runner.declaration.callbackParameters
    for (field, parameter) in parameters.sorted(by: { $0.key < $1.key })
    where !declared.contains(where: { $0.name == field }) {
      return Finding(
        name: name,
        failure: "authorize.callback gives the parameter \(parameter) to the field \(field), which "
          + "credentials.authorizationCode does not have. "
          + suggestion(for: field, among: declared.map(\.name)))
    }
    let unfilled = declared.first {
      $0.isRequired && parameters[$0.name] == nil && !Self.addedFields.contains($0.name)
    }
    guard let unfilled else { return Finding(name: name, failure: nil) }
    return Finding(
      name: name,
      failure: "credentials.authorizationCode needs \(unfilled.name), which no parameter of the "
        + "callback fills. Name its parameter: callback = { \(unfilled.name) = \"…\" }.")
  }

  /// The mistake itself, which only the plug-in's author may see.
  static func words(of error: any Error) -> String {
    guard let error = error as? AuthError else { return "\(error)".sentence }
    guard error.code == .pluginFailed, let cause = error.cause as? AuthError else {
      return "\(error)".sentence
    }
    return cause.message.sentence
  }
}
