import AuthCore
import IdentityToolkit

extension Route {
  /// The emulator's own operations, with which tests read its state.
  static let emulator: [Route] =
    ["/emulator/v1/projects/{project}", "/emulator/v1/projects/{project}/tenants/{tenant}"]
    .map { parent in
      Route(
        .delete, "\(parent)/accounts", of: .own, access: .open,
        name: "emulator.projects.accounts.delete", worksWhileDisabled: true, modes: [.emulator]
      ) { try await EmulatorHandler($0).clearAccounts() }
    } + [
      Route(
        .get, "/emulator/v1/projects/{project}/config", of: .own, access: .open,
        name: "emulator.projects.config.get", modes: [.emulator]
      ) { try await EmulatorHandler($0).configuration() },
      Route(
        .patch, "/emulator/v1/projects/{project}/config", of: .own, access: .open,
        name: "emulator.projects.config.update",
        fields: [
          .object("signIn", [.flag("allowDuplicateEmails")]),
          .object("emailPrivacyConfig", [.flag("enableImprovedEmailPrivacy")]),
        ], modes: [.emulator]
      ) { try await EmulatorHandler($0).updateConfiguration() },
      Route(
        .get, "/emulator/openapi.json", of: .own, access: .open, name: "emulator.openapi",
        modes: [.emulator]
      ) { .json(ProtocolDescription.document($0)) },
      Route(
        .post, "/v1/signOutUser", access: .open, name: "identitytoolkit.relyingparty.signOutUser",
        modes: [.emulator]
      ) { _ in
        throw EmulatorBehavior.missing("signOutUser")
      },
    ] + codes + pages

  /// Lists of the codes that were sent, so that tests need no mailbox.
  private static let codes = ["", "/tenants/{tenant}"].flatMap { tenant in
    [
      Route(
        .get, "/emulator/v1/projects/{project}\(tenant)/oobCodes", of: .own, access: .open,
        name: "emulator.projects.oobCodes.list", worksWhileDisabled: true, modes: [.emulator]
      ) { try await EmulatorHandler($0).oobCodes() },
      Route(
        .get, "/emulator/v1/projects/{project}\(tenant)/verificationCodes", of: .own, access: .open,
        name: "emulator.projects.verificationCodes.list", worksWhileDisabled: true,
        modes: [.emulator]
      ) { try await EmulatorHandler($0).verificationCodes() },
    ]
  }

  /// The pages that browsers open: links of e-mails, and the vendor's sign-in page.
  private static let pages = [
    Route(
      .get, "/emulator/action", of: .own, access: .open, name: "emulator.action",
      worksWhileDisabled: true, modes: [.emulator]
    ) { try await EmulatedActionHandler($0).use() },
    Route(
      .get, "/emulator/auth/handler", of: .own, access: .open, name: "emulator.auth.handler",
      modes: [.emulator]
    ) { try await EmulatedVendorHandler($0).openPage() },
    Route(
      .get, "/emulator/auth/iframe", of: .own, access: .open, name: "emulator.auth.iframe",
      modes: [.emulator]
    ) { try await EmulatedVendorHandler($0).openFrame() },
  ]
}
