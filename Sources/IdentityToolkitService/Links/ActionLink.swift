import AuthCore
import IdentityToolkit

/// Links to the pages that use a code, as they stand in e-mails.
///
/// They begin with the address that an admin set for the server and with nothing that a request says, so that
/// a forged `Host` field leads nobody elsewhere.
extension Call {
  /// Composes the link around a code that was made.
  func link(around issued: IssuedActionCode, continueURL: String? = nil) -> Secret<String> {
    var fields = [
      (name: "mode", value: issued.info.operation.linkMode),
      (name: "lang", value: behavior.language(ofLinkIn: self)),
      (name: "oobCode", value: issued.code.reveal()),
      (name: "apiKey", value: behavior.key(ofLinkIn: self)),
    ]
    if let continueURL { fields.append((name: "continueUrl", value: continueURL)) }
    if let tenant { fields.append((name: "tenantId", value: tenant)) }
    if project != services.settings.project {
      fields.append((name: "projectId", value: project))
    }
    return Secret(URLText.adding(fields, to: services.settings.publicURL + behavior.actionPath))
  }

  /// The letter around a code: a link, in the language of the request.
  func letter(continueURL: String? = nil) -> ActionCodeLetter {
    ActionCodeLetter(
      requestedFrom: client.address, locale: client.locale.map { WireLanguage($0).tag }
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
      try await graph.sendActionCode(issued, as: letter(), of: account.id, by: caller)
      services.courier.wake()
    } catch {
      services.telemetry.fault(
        error, in: "sending \(issued.info.operation.rawValue)", request: client.requestID)
    }
  }
}
