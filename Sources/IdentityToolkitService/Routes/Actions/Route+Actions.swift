extension Route {
  /// The pages behind the links in e-mails.
  static let actions: [Route] = [
    Route(
      .get, "/__/auth/action", of: .own, access: .open, name: "action.show",
      worksWhileDisabled: true, modes: [.production]
    ) { await ActionHandler($0).show() },
    Route(
      .post, "/__/auth/action", of: .own, access: .open, name: "action.use",
      worksWhileDisabled: true, modes: [.production]
    ) { await ActionHandler($0).use() },
  ]
}
