import AuthCore
import IdentityToolkit

/// Messages with codes, and the links in them to the pages that use a code.
///
/// A link begins with the public URL that an admin set, never with a part of the request, so that a forged `Host`
/// header cannot redirect a person.
struct ActionLetters: Sendable {
  let call: Call

  /// Composes the link around a code that was made; `domain` is one of the project's link domains.
  func link(
    around issued: ActionCode, continueURL: String? = nil, domain: String? = nil
  ) -> Secret<String> {
    var fields = [
      (name: "mode", value: issued.info.operation.linkMode),
      (name: "lang", value: call.behavior.language(ofLinkIn: call)),
      (name: "oobCode", value: issued.code.reveal()),
      (name: "apiKey", value: call.behavior.key(ofLinkIn: call)),
    ]
    if let continueURL { fields.append((name: "continueUrl", value: continueURL)) }
    if let tenant = call.tenant { fields.append((name: "tenantId", value: tenant)) }
    let settings = call.services.settings
    if call.project != settings.project {
      fields.append((name: "projectId", value: call.project))
    }
    let start = domain.map { "https://\($0)" } ?? settings.publicURL
    return Secret(URLText.adding(fields, to: start + call.behavior.actionPath))
  }

  /// Returns the message for a code: a link, in the language of the request.
  func letter(continueURL: String? = nil, domain: String? = nil) -> ActionCodeLetter {
    ActionCodeLetter(
      requestedFrom: call.client.address, locale: call.client.locale.map { WireLanguage($0).tag }
    ) { link(around: $0, continueURL: continueURL, domain: domain) }
  }

  /// Sends each former address the code with which it can undo the change.
  func sendTakeBacks(of receipt: Receipt, _ account: Account) async {
    for issued in receipt.takeBacks { await sendRecovery(issued, of: account) }
  }

  /// Sends the code with which a former address, or an owner who lost control of an account, undoes a change.
  ///
  /// The change is done: what keeps the message back is logged, and fails nothing.
  func sendRecovery(_ issued: ActionCode?, of account: Account) async {
    guard let issued else { return }
    do {
      try await call.graph.sendActionCode(
        issued, as: letter(), of: account.id, by: call.caller)
      call.services.courier.wake()
    } catch {
      call.services.telemetry.fault(
        error, in: "sending \(issued.info.operation.rawValue)", request: call.client.requestID)
    }
  }
}
