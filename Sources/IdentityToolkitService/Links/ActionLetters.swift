import AuthCore
import IdentityToolkit

/// Letters around codes, and the links in them to the pages that use a code.
///
/// Links begin with the address that an admin set for the server and with nothing that a request says, so that
/// a forged `Host` field leads nobody elsewhere.
struct ActionLetters: Sendable {
  let call: Call

  /// Composes the link around a code that was made.
  func link(around issued: IssuedActionCode, continueURL: String? = nil) -> Secret<String> {
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
    return Secret(URLText.adding(fields, to: settings.publicURL + call.behavior.actionPath))
  }

  /// The letter around a code: a link, in the language of the request.
  func letter(continueURL: String? = nil) -> ActionCodeLetter {
    ActionCodeLetter(
      requestedFrom: call.client.address, locale: call.client.locale.map { WireLanguage($0).tag }
    ) { link(around: $0, continueURL: continueURL) }
  }

  /// Sends the codes with which old addresses take a change back, each to its own mailbox.
  func sendTakeBacks(of receipt: Receipt, _ account: Account) async {
    for issued in receipt.takeBacks { await sendRecovery(issued, of: account) }
  }

  /// Sends the code with which an old address, or whoever lost control of an account, takes a change back.
  ///
  /// The change is done: what keeps the message back is logged, and fails nothing.
  func sendRecovery(_ issued: IssuedActionCode?, of account: Account) async {
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
