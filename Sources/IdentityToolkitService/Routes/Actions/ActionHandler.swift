import AuthCore
import IdentityToolkit

/// The pages that links in e-mails lead to.
struct ActionHandler: RequestHandler {
  let call: Call

  /// Shows what a link does, with a button that does it.
  ///
  /// Opening a link changes nothing: mail programs and scanners open links too.
  func show() async -> Answer {
    await page { handler, link in
      guard link.operation != .emailSignIn else { return try await handler.leadToApp(link) }
      let info = try await handler.info(of: link)
      return (try await handler.question(info, link)).answer
    }
  }

  /// Does what the person confirmed.
  func use() async -> Answer {
    guard comesFromOwnPage else { return Self.strangePage.answer }
    return await page { handler, link in
      let info = try await handler.info(of: link)
      return (try await handler.use(info, link)).answer
    }
  }

  /// Runs the operation of a link, and shows errors as a page.
  private func page(_ body: (Self, OpenedLink) async throws -> Answer) async -> Answer {
    do {
      let link = try OpenedLink(self.body.has("oobCode") ? self.body : query)
      return try await body(Self(link.call(from: call)), link)
    } catch let error as AuthError {
      return Self.refusal(error).answer
    } catch let error as WireError where error.status < 500 {
      return Self.badLink.answer
    } catch {
      services.telemetry.fault(error, in: "action", request: client.requestID)
      return Self.failure.answer
    }
  }

  /// True if the form was sent by one of these pages, according to the browser.
  private var comesFromOwnPage: Bool {
    let site = call.headers["sec-fetch-site"]
    guard [nil, "same-origin", "none"].contains(site) else { return false }
    guard let origin = call.headers["origin"], origin != "null" else { return true }
    return services.settings.publicURL.lowercased().hasPrefix(origin.lowercased())
      && ContinueURL(origin)?.host == ContinueURL(services.settings.publicURL)?.host
  }

  /// Reads the code's details, and refuses a link whose mode differs from the code's.
  private func info(of link: OpenedLink) async throws -> ActionCode.Info {
    let info = try await graph.actionCode(link.code, by: caller)
    guard info.operation == link.operation else {
      throw AuthError(
        .invalidActionCode, "The code is for another operation.", field: "mode",
        remedy: "Open the link as it was sent.", step: .credential)
    }
    return info
  }

  private func question(_ info: ActionCode.Info, _ link: OpenedLink) async throws -> ActionPage {
    let words = ActionWords(info)
    var page = ActionPage(words.title, words.question)
    if words.refusal != nil {
      let details = try await graph.actionCodeDetails(link.code, by: caller)
      page.paragraphs += details.paragraphs
    }
    page.form = ActionPage.Form(
      button: words.button, fields: link.fields, refusal: words.refusal?.button,
      passwordLength: info.operation == .resetPassword
        ? try await settings().signIn.passwordPolicy.minimumLength : nil)
    return page
  }

  private func use(_ info: ActionCode.Info, _ link: OpenedLink) async throws -> ActionPage {
    let words = ActionWords(info)
    var stay: [WayIn] = []
    switch info.operation {
    case .verifyEmail where isRefused, .verifyAndChangeEmail where isRefused:
      let refused = try await graph.refuseActionCode(link.code, by: caller)
      // An account that keeps the address had verified it before, so it is the reader's own.
      guard info.operation != .verifyEmail || refused.account.email == nil else {
        return ActionPage(
          "Every session was ended",
          [
            "Your account keeps \(info.email). Another person may know your password. Choose a new one."
          ])
      }
      return ActionPage(words.refusal?.title ?? words.doneTitle, words.refusal?.done ?? [])
    case .emailSignIn: return Self.badLink
    case .resetPassword:
      guard try await isOpen(.password) else { return Self.badLink }
      do {
        let password = try body.filled("newPassword") ?? ""
        let result = try await graph.confirmPasswordReset(
          link.code, newPassword: Secret(password), by: caller)
        await letters.sendTakeBacks(of: result.receipt, result.account)
        stay = result.receipt.ways(into: result.account.id)
      } catch let error as AuthError
        where [.weakPassword, .passwordDoesNotMeetRequirements].contains(error.code)
      {
        var page = try await question(info, link)
        page.problem = error.message
        page.status = 400
        return page
      }
    default:
      let result = try await graph.applyActionCode(link.code, by: caller)
      await letters.sendTakeBacks(of: result.receipt, result.account)
      stay = result.receipt.ways(into: result.account.id)
    }
    var page = ActionPage(words.doneTitle, words.done + stay.paragraphs)
    if let url = try await authorized(link.continueURL) { page.next = ("Continue", url.text) }
    return page
  }

  /// True if the person pressed the button that refuses.
  private var isRefused: Bool { (try? body.text("answer")) == "refuse" }

  /// Redirects a sign-in link to the app, which uses the code with the address that the person typed.
  private func leadToApp(_ link: OpenedLink) async throws -> Answer {
    _ = try await info(of: link)
    guard let url = try await authorized(link.continueURL) else {
      return ActionPage(
        "Open the app", ["Open this link on the device on which you asked to sign in."]
      ).answer
    }
    return .redirect(
      url.adding(link.fields.filter { $0.name != "continueUrl" }),
      headers: [
        "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
      ])
  }

  /// Returns an address that the project allows to go on to, or nil for any other.
  private func authorized(_ text: String?) async throws -> ContinueURL? {
    guard let url = text.flatMap(ContinueURL.init) else { return nil }
    let settings = try await settings().signIn
    return url.isAuthorized(settings, publicURL: services.settings.publicURL) ? url : nil
  }

  private static func refusal(_ error: AuthError) -> ActionPage {
    switch error.code {
    case .userDisabled:
      notice("This account is disabled", ["Ask the app's support for help."])
    case .emailAlreadyInUse:
      notice("This address is in use", ["Another account has the address by now."])
    case .tooManyRequests:
      notice("Too many attempts", ["Wait a while, and try again."])
    default: badLink
    }
  }

  private static let badLink = notice(
    "This link does not work any more",
    ["It has expired, or it was used before. Ask the app for a new one."])
  private static let strangePage = notice(
    "This was not sent from the page of the link", ["Open the link in the e-mail again."])
  private static let failure: ActionPage = {
    var page = ActionPage("Something went wrong", ["Try again in a while."])
    page.status = 500
    return page
  }()

  private static func notice(_ title: String, _ paragraphs: [String]) -> ActionPage {
    var page = ActionPage(title, paragraphs)
    page.status = 400
    return page
  }
}
