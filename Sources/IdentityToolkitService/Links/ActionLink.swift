import AuthCore
import IdentityToolkit

/// Links to the pages that use a code, as they stand in e-mails.
///
/// They begin with the address that an admin set for the server and with nothing that a request says, so that
/// a forged `Host` field leads nobody elsewhere.
extension Call {
  /// Composes the link around a code that was made; the emulator's are always in English.
  func link(around issued: IssuedActionCode, continueURL: String? = nil) -> Secret<String> {
    let language = isEmulator ? "en" : WireLanguage(client.locale).tag
    var fields = [
      (name: "mode", value: issued.info.operation.linkMode), (name: "lang", value: language),
      (name: "oobCode", value: issued.code.reveal()), (name: "apiKey", value: linkKey),
    ]
    if let continueURL { fields.append((name: "continueUrl", value: continueURL)) }
    if let tenant { fields.append((name: "tenantId", value: tenant)) }
    if project != services.settings.project {
      fields.append((name: "projectId", value: project))
    }
    return Secret(URLText.adding(fields, to: services.settings.publicURL + actionPath))
  }

  private var actionPath: String { isEmulator ? "/emulator/action" : "/__/auth/action" }

  /// JavaScript's client takes no sign-in link that lacks a key, so there is always one.
  private var linkKey: String {
    if isEmulator { return "fake-api-key" }
    let own = services.settings.apiKeys.filter { $0.value == project }.keys.min()
    return (try? query.filled("key")) ?? headers["x-goog-api-key"] ?? own ?? project
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
