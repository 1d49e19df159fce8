import AuthClient
import Foundation

/// A run of the samples, one after another, with a line for each result.
@MainActor struct Tour {
  let place: Place
  let screen = Screen()
  private let auth: Auth
  private static let phone = "+15555550123"

  init(_ place: Place) {
    self.place = place
    auth = Auth.configure(backend: place.backend, storage: MemorySessionStorage())
  }

  func run() async throws {
    try await ways()
    try await conflict()
    try await conflictWithSecondFactor()
    try await refusal()
  }

  /// Links Google, Facebook and e-mail, and unlinks.
  private func ways() async throws {
    let user = try await auth.signInAnonymously().user
    let uid = user.uid
    screen.google(user: GoogleUser(Person(subject: "108", email: "ada@example.com")))
    try await link(user, ["google.com"])
    AccessToken.current = token(Person(subject: "580", email: "ada@example.com"))
    screen.facebook()
    try await link(user, ["facebook.com", "google.com"])
    screen.email("ada.l@example.com", "correct horse battery")
    try await link(user, ["facebook.com", "google.com", "password"])
    try expect(user.uid == uid && !user.isAnonymous, "the uid stays, and the user is not anonymous")
    screen.unlink(providerID: "facebook.com")
    try await until("facebook.com is unlinked") { ways(user) == ["google.com", "password"] }
    try await user.reload()
    try expect(ways(user) == ["google.com", "password"], "the server says so as well", show(user))
  }

  /// Tries a credential of another account without a second factor.
  private func conflict() async throws {
    let person = token(Person(subject: "581", email: "grace@example.com"))
    let other = try await auth.signIn(
      with: FacebookAuthProvider.credential(withAccessToken: person.tokenString)
    ).user
    let previous = try await signInByPassword()
    AccessToken.current = person
    screen.facebook()
    let found = try await collision(of: previous)
    screen.signIn(with: found)
    try await until("the sample signed in without a second factor") {
      auth.currentUser?.uid == other.uid
    }
    try await merge(previous, ["facebook.com", "google.com"])
    let again = try await signInByPassword()
    try expect(again.uid == other.uid, "the password of the account that went up leads here")
  }

  /// Tries a credential of another account that is protected by a phone.
  private func conflictWithSecondFactor() async throws {
    screen.unlink(providerID: "google.com")
    try await until("google.com is unlinked") {
      auth.currentUser.map(ways)?.contains("google.com") == false
    }
    let google = GoogleUser(Person(subject: "109", email: "alan@example.com"))
    screen.google(user: google)
    let other = try await auth.signIn(with: try made()).user
    try await enroll(other)
    let previous = try await signInByPassword()
    screen.google(user: google)
    let found = try await collision(of: previous)
    screen.answers = [{ "Alan's phone" }, { try await place.code(Self.phone) }]
    let left = screen.navigationController?.popped ?? 0
    screen.signIn(with: found)
    try await until("the sample signed in with the second factor") {
      screen.navigationController?.popped == left + 1
    }
    try expect(
      auth.currentUser?.uid == other.uid && screen.promptsShown == 2,
      "the factor and its code were asked for")
    try await merge(previous, ["facebook.com", "google.com"])
    try expect(
      auth.currentUser?.multiFactor.enrolledFactors.map(\.displayName) == ["Alan's phone"],
      "the second factor is still there")
  }

  /// Tries an invalid credential.
  private func refusal() async throws {
    let before = screen.messages.count
    screen.signIn(with: GoogleAuthProvider.credential(withIDToken: "no token", accessToken: ""))
    try await until("the sample showed why a sign-in failed") { screen.messages.count > before }
    try expect(screen.messages.last?.isEmpty == false, "in words", screen.messages.last ?? "")
  }
}

extension Tour {
  private func token(_ person: Person) -> AccessToken { AccessToken(tokenString: person.claims) }

  /// Returns the credential that a sample made.
  private func made() throws -> AuthCredential {
    defer { screen.credential = nil }
    guard let credential = screen.credential else { throw Failure("no credential was made") }
    return credential
  }

  private func link(_ user: User, _ expected: [String]) async throws {
    let credential = try made()
    screen.link(user, with: credential)
    try await until("\(credential.provider) is linked") { ways(user) == expected }
    try expect(auth.currentUser === user, "providerData", show(user))
  }

  /// Links, and returns the credential in the refusal.
  private func collision(of user: User) async throws -> AuthCredential {
    let credential = try made()
    do {
      try await user.link(with: credential)
    } catch {
      let error = error as NSError
      try expect(
        error.code == AuthErrorCode.credentialAlreadyInUse.rawValue,
        "\(credential.provider) belongs to another account", "\(error.code)")
      let found = error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCredential
      try expect(found != nil, "the error has a credential to sign in with")
      return found ?? credential
    }
    throw Failure("\(credential.provider) was linked, and belongs to another account")
  }

  private func signInByPassword() async throws -> User {
    try await auth.signIn(withEmail: "ada.l@example.com", password: "correct horse battery").user
  }

  private func enroll(_ user: User) async throws {
    let session = try await user.multiFactor.session()
    let phones = PhoneAuthProvider.provider()
    let id = try await phones.verifyPhoneNumber(Self.phone, multiFactorSession: session)
    let proof = phones.credential(
      withVerificationID: id, verificationCode: try await place.code(Self.phone))
    try await user.multiFactor.enroll(
      with: PhoneMultiFactorGenerator.assertion(with: proof), displayName: "Alan's phone")
    try expect(user.multiFactor.enrolledFactors.count == 1, "a phone is enrolled")
  }

  /// Merges the previous account into the current one, and expects at least these providers.
  private func merge(_ previous: User, _ expected: [String]) async throws {
    guard let current = auth.currentUser else { throw Failure("no user is signed in") }
    let result = try await auth.merge(previous, into: current)
    try expect(
      result.user.uid == current.uid && result.mergedFrom == [previous.uid]
        && auth.currentUser === result.user, "the two accounts are merged")
    try expect(
      Set(ways(result.user)).isSuperset(of: expected), "providerData", show(result.user))
  }

  private func ways(_ user: User) -> [String] { user.providerData.map(\.providerID).sorted() }

  private func show(_ user: User) -> String {
    user.providerData.sorted { $0.providerID < $1.providerID }
      .map { "\($0.providerID) \($0.uid)" }.joined(separator: ", ")
  }

  /// Waits for a condition that a sample reaches in the background.
  private func until(_ what: String, _ holds: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !holds() {
      guard ContinuousClock.now < deadline else {
        throw Failure("\(what): never. Messages: \(screen.messages)")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    say(what)
  }

  private func expect(_ holds: Bool, _ what: String, _ detail: String = "") throws {
    guard holds else { throw Failure("\(what): no. \(detail)") }
    say(detail.isEmpty ? what : "\(what): \(detail)")
  }

  private func say(_ what: String) {
    print("\(place.name.padding(toLength: 12, withPad: " ", startingAt: 0)) \(what)")
  }
}
