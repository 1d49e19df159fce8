import AuthCore
import IdentityToolkit

/// The emulator's action page, which uses a code at once and answers with JSON or a redirect.
struct EmulatedActionHandler: RequestHandler {
  let call: Call

  func use() async throws -> Answer {
    let link = try OpenedLink(query)
    guard !link.key.isEmpty else {
      return Self.refused("missing apiKey query parameter", "Add &apiKey=YOUR_API_KEY to the URL.")
    }
    guard !link.code.isEmpty else {
      return Self.refused("missing oobCode query parameter", "Add &oobCode=YOUR_CODE to the URL.")
    }
    let handler = Self(link.call(from: call))
    return switch link.operation {
    case .resetPassword: try await handler.resetAtOnce(link)
    case .verifyEmail, .verifyAndChangeEmail, .recoverEmail:
      try await handler.applyAtOnce(link)
    case .emailSignIn: try await handler.leadOn(link)
    default: Self.refused("Invalid mode", "Use a link that the emulator gave.")
    }
  }

  private func resetAtOnce(_ link: OpenedLink) async throws -> Answer {
    guard let info = try await openCode(link), info.operation == .resetPassword else {
      return Self.over("reset your password")
    }
    let placeholder = "NEW_PASSWORD_HERE"
    guard let password = try query.filled("newPassword"), password != placeholder else {
      let fields = link.fields + [(name: "newPassword", value: placeholder)]
      let error =
        query.has("newPassword")
        ? "newPassword must not be '\(placeholder)'" : "missing newPassword query parameter"
      return .json(
        [
          "authEmulator": [
            "error": .string(error),
            "instructions": .string(
              "To set the password of \(info.email), open the URL below with a new password."),
            "urlTemplate": .string(
              URLText.adding(fields, to: services.settings.publicURL + "/emulator/action")),
          ]
        ], status: 400)
    }
    let result = try await MessageHandler(call).confirmReset(link.code, Secret(password))
    return done(
      link, "The password has been successfully updated.", ["email": result.info.email.text])
  }

  private func applyAtOnce(_ link: OpenedLink) async throws -> Answer {
    let (purpose, success) =
      switch link.operation {
      case .recoverEmail: ("revert your email", "The email has been successfully reset.")
      case .verifyAndChangeEmail: ("change your email", "The email has been successfully changed.")
      default: ("verify your email", "The email has been successfully verified.")
      }
    guard let info = try await openCode(link), info.operation == link.operation else {
      return Self.over(purpose)
    }
    do {
      let result = try await graph.applyActionCode(link.code, by: caller)
      if let newEmail = info.newEmail, info.operation == .verifyAndChangeEmail {
        return done(link, success, ["newEmail": newEmail.text])
      }
      let email = result.account.email ?? info.email
      guard info.operation != .recoverEmail else {
        return .json(Self.success(success, ["email": email.text]))
      }
      return done(link, success, ["email": email.text])
    } catch let error as AuthError where error.code == .invalidActionCode {
      return Self.over(purpose)
    }
  }

  /// Redirects a sign-in link to the app, which uses the code later, together with the address.
  private func leadOn(_ link: OpenedLink) async throws -> Answer {
    guard let continueURL = link.continueURL else {
      return Self.refused(
        "Missing continueUrl query parameter", "Add &continueUrl=YOUR_APP_URL to the URL.")
    }
    guard let url = ContinueURL(continueURL) else {
      throw WireError(
        "INVALID_CONTINUE_URI", "((expected an absolute URI with valid scheme and host))")
    }
    let known = link.fields.filter { query.has($0.name) && $0.name != "continueUrl" }
    let names = Set(known.map(\.name)).union(["continueUrl"])
    var others: [(name: String, value: String)] = []
    for name in query.members.keys.sorted() where !names.contains(name) {
      others.append((name: name, value: try query.text(name) ?? ""))
    }
    return .redirect(url.adding(known + others))
  }

  private func openCode(_ link: OpenedLink) async throws -> ActionCode.Info? {
    do {
      return try await graph.actionCode(link.code, by: caller)
    } catch let error as AuthError where error.code == .invalidActionCode { return nil }
  }

  private func done(_ link: OpenedLink, _ success: String, _ members: [String: String]) -> Answer {
    if let url = link.continueURL { return .redirect(url) }
    return .json(Self.success(success, members))
  }

  private static func success(_ text: String, _ members: [String: String]) -> JSONValue {
    var answer: [String: JSONValue] = ["success": .string(text)]
    for (name, value) in members { answer[name] = .string(value) }
    return ["authEmulator": .object(answer)]
  }

  private static func over(_ purpose: String) -> Answer {
    refused(
      "Your request to \(purpose) has expired or the link has already been used.",
      "Ask for a new link and try again.")
  }

  private static func refused(_ error: String, _ instructions: String) -> Answer {
    .json(
      ["authEmulator": ["error": .string(error), "instructions": .string(instructions)]],
      status: 400)
  }
}
