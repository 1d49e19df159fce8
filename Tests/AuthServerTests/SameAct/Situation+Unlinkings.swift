import AuthCore

/// Unlinking.
extension Situation {
  private static let vendor = SameProvider.id

  static let unlinkings: [Situation] = [
    Situation("unlink: one of two ways in", .unlink(vendor)) { $0.me.subjects = ["1001"] },
    Situation("unlink: the password of two ways in", .unlink(.password)) {
      $0.me.subjects = ["1001"]
      let both = Exception.done("Firebase's password is the links to the address as well")
      $0.exceptions = [.client: both, .adminSDK: both, .embedded: both]
    },
    Situation("unlink: the number of two ways in", .unlink(.phone)) {
      $0.me.number = "+15555550100"
    },
    Situation("unlink: what is not linked", .unlink(vendor), refusal: .noSuchProvider) {
      let firebase = Exception.done(
        "Firebase passes over a provider that is not linked", tells: "linked: no, nothing goes")
      $0.exceptions = [
        .client: firebase, .adminSDK: firebase,
        .embedded: .refused(.noSuchProvider, "the client does not ask"),
      ]
    },
    Situation("unlink: one of several identities", .unlink(vendor), refusal: .ambiguous) {
      $0.me.subjects = ["1001", "1002"]
      $0.settings = { $0.identitiesPerProvider = .many }
    },
    Situation(
      "unlink: one of several identities that are all there is", .unlink(vendor),
      refusal: .ambiguous
    ) {
      $0.me = .vendorAlone.with { $0.subjects = ["1001", "1002"] }
      $0.settings = { $0.identitiesPerProvider = .many }
    },
    Situation("unlink: the last way in", .unlink(vendor), refusal: .lastSignInMethod) {
      $0.me = .vendorAlone
    },
    Situation("unlink: the last way in, if the project allows it", .unlink(vendor)) {
      $0.me = .vendorAlone
      $0.settings = { $0.allowsUnlinkingLastMethod = true }
    },
    Situation("unlink: the last way in, forced", .unlink(vendor, force: true)) {
      $0.me = .vendorAlone
    },
    Situation(
      "unlink: the last way in that is open", .unlink(.password), refusal: .lastSignInMethod
    ) {
      $0.me.subjects = ["1001"]
      $0.settings = { $0.signIn.closedProviders = [vendor] }
    },
  ]
}
