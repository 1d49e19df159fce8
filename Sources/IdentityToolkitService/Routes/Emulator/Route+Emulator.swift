import AuthCore
import IdentityToolkit

extension Route {
  /// What only the emulator has, for tests that look behind the protocol, and the front page of both modes.
  static let emulator: [Route] =
    ["/emulator/v1/projects/{project}", "/emulator/v1/projects/{project}/tenants/{tenant}"]
    .map { parent in
      Route(
        .delete, "\(parent)/accounts", of: .own, access: .open,
        name: "emulator.projects.accounts.delete", worksWhileDisabled: true, modes: [.emulator]
      ) { try await $0.clearAccounts() }
    } + [
      Route(
        .get, "/emulator/v1/projects/{project}/config", of: .own, access: .open,
        name: "emulator.projects.config.get", modes: [.emulator]
      ) { try await $0.emulatorConfiguration() },
      Route(
        .patch, "/emulator/v1/projects/{project}/config", of: .own, access: .open,
        name: "emulator.projects.config.update",
        fields: [
          .object("signIn", [.flag("allowDuplicateEmails")]),
          .object("emailPrivacyConfig", [.flag("enableImprovedEmailPrivacy")]),
        ], modes: [.emulator]
      ) { try await $0.updateEmulatorConfiguration() },
      Route(
        .get, "/emulator/openapi.json", of: .own, access: .open, name: "emulator.openapi",
        modes: [.emulator]
      ) { .json(ProtocolDescription.document($0)) },
      Route(
        .post, "/v1/signOutUser", access: .open, name: "identitytoolkit.relyingparty.signOutUser",
        modes: [.emulator]
      ) { _ in
        throw WireError.notImplemented("signOutUser is not implemented in the Auth Emulator.")
      },
      Route(.get, "/", of: .own, access: .open, name: "ready") { $0.frontPage() },
    ]
}
