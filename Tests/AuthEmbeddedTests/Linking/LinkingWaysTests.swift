import AuthClient
import AuthTesting
import Foundation
import Testing

/// The resolution of a conflict in code without `async`, each step in the completion of the one before.
@Suite("Linking with completions, on every backend") struct LinkingWaysTests {
  @Test(arguments: Backend.allCases)
  func `a free credential is linked, and unlinked again`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let user = try await home.ada()
      let screen = await LinkingScreen(home)

      let linked = try await screen.link(home.facebook("ada@social.example", subject: "580"))
      #expect(linked === user && linked.providerIDs == ["facebook.com", "password"])
      let left = try await screen.unlink("facebook.com")
      #expect(left === user && left.providerIDs == ["password"])
      #expect(await screen.steps == ["link facebook.com", "unlink facebook.com"])
      await #expect(throws: AuthErrorCode.noSuchProvider.error) {
        try await screen.unlink("facebook.com")
      }
    }
  }

  @Test(arguments: Backend.allCases)
  func `two accounts of one person become one`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let other = try await home.auth.signIn(with: try home.google("ada@work.example")).user
      let user = try await home.auth.signIn(with: home.facebook("ada@social.example")).user
      let screen = await LinkingScreen(home)

      let left = try await screen.link(try home.google("ada@work.example"))

      #expect(await screen.steps == ["link google.com", "sign in", "merge"])
      #expect(left.uid == other.uid && left === home.auth.currentUser)
      #expect(left.providerIDs == ["facebook.com", "google.com"])
      #expect(try await home.exists(user.uid) == false)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a second factor stands between the conflict and the merge`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let other = try await home.auth.signIn(with: try home.google("ada@work.example")).user
      try await home.enrollPhone(for: other, name: "the blue phone")
      let user = try await home.auth.signIn(with: home.facebook("ada@social.example")).user
      let screen = await LinkingScreen(home)

      let left = try await screen.link(try home.google("ada@work.example"))

      #expect(
        await screen.steps == ["link google.com", "sign in", "code to the blue phone", "merge"])
      #expect(left.uid == other.uid && left === home.auth.currentUser)
      #expect(left.providerIDs == ["facebook.com", "google.com"])
      #expect(left.multiFactor.enrolledFactors.map(\.displayName) == ["the blue phone"])
      #expect(try await home.exists(user.uid) == false)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a wrong code ends the way, and both accounts stay`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let other = try await home.auth.signIn(with: try home.google("ada@work.example")).user
      try await home.enrollPhone(for: other, name: "the blue phone")
      let user = try await home.auth.signIn(with: home.facebook("ada@social.example")).user
      let screen = await LinkingScreen(home, mistypes: true)

      await #expect(throws: AuthErrorCode.invalidVerificationCode.error) {
        try await screen.link(try home.google("ada@work.example"))
      }

      #expect(await screen.steps.last == "code to the blue phone")
      #expect(home.auth.currentUser === user && user.providerIDs == ["facebook.com"])
      #expect(try await home.exists(other.uid))
    }
  }
}

extension AuthErrorCode {
  /// A comparable error with this code alone.
  fileprivate var error: Comparable { Comparable(code: self) }

  fileprivate struct Comparable: Error, Equatable {
    let code: AuthErrorCode
  }
}

/// A screen of an app that links with completions.
@MainActor private final class LinkingScreen {
  private let home: AuthHome
  private let mistypes: Bool
  private(set) var steps: [String] = []
  private static let mainQueue = DispatchSpecificKey<Bool>()
  private typealias Ending = (User?, (any Error)?) -> Void

  init(_ home: AuthHome, mistypes: Bool = false) {
    self.home = home
    self.mistypes = mistypes
    DispatchQueue.main.setSpecific(key: Self.mainQueue, value: true)
  }

  func link(_ credential: AuthCredential) async throws -> User {
    try await ending { self.link(credential, $0) }
  }

  @discardableResult
  func unlink(_ provider: String) async throws -> User {
    try await ending { end in
      self.steps.append("unlink \(provider)")
      self.home.auth.currentUser?.unlink(fromProvider: provider) { end($0, $1) }
    }
  }

  private func link(_ credential: AuthCredential, _ end: @escaping Ending) {
    steps.append("link \(credential.provider)")
    home.auth.currentUser?.link(with: credential) { result, error in
      guard let error = error as NSError? else { return end(result?.user, nil) }
      let other = error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCredential
      guard error.code == AuthErrorCode.credentialAlreadyInUse.rawValue, let other else {
        return end(nil, error)
      }
      self.cross(with: other, end)
    }
  }

  /// Signs in to the account that has the credential, and merges the earlier one into it.
  private func cross(with credential: AuthCredential, _ end: @escaping Ending) {
    steps.append("sign in")
    let before = home.auth.currentUser
    home.auth.signIn(with: credential) { result, error in
      guard let error = error as NSError? else { return self.merge(before, result, end) }
      let resolver =
        error.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver
      guard error.code == AuthErrorCode.secondFactorRequired.rawValue, let resolver else {
        return end(nil, error)
      }
      self.show(resolver) { result, error in
        guard error == nil else { return end(nil, error) }
        self.merge(before, result, end)
      }
    }
  }

  private func show(
    _ resolver: MultiFactorResolver, _ end: @escaping (AuthDataResult?, (any Error)?) -> Void
  ) {
    let phones = resolver.hints.compactMap { $0 as? PhoneMultiFactorInfo }
    guard let phone = phones.first else { return end(nil, nil) }
    let provider = PhoneAuthProvider.provider(auth: home.auth)
    provider.verifyPhoneNumber(with: phone, multiFactorSession: resolver.session) { id, error in
      guard let id else { return end(nil, error) }
      self.steps.append("code to \(phone.displayName ?? "")")
      let sent = (try? self.home.lastMessage(to: AuthHome.number)) ?? ""
      let typed = self.mistypes ? String(sent.reversed().map { $0 == "0" ? "1" : "0" }) : sent
      let code = provider.credential(withVerificationID: id, verificationCode: typed)
      resolver.resolveSignIn(with: PhoneMultiFactorGenerator.assertion(with: code)) {
        end($0, $1)
      }
    }
  }

  private func merge(_ before: User?, _ result: AuthDataResult?, _ end: @escaping Ending) {
    guard let before, let result else { return end(nil, nil) }
    steps.append("merge")
    home.auth.merge(before, into: result.user) { end($0?.user, $1) }
  }

  /// Waits for a callback; its errors are made comparable.
  private func ending(_ begin: (@escaping Ending) -> Void) async throws -> User {
    try await withCheckedThrowingContinuation { continuation in
      begin { user, error in
        #expect(DispatchQueue.getSpecific(key: Self.mainQueue) != nil)
        if let user { return continuation.resume(returning: user) }
        let code = error.flatMap { AuthErrorCode($0) } ?? .internalError
        continuation.resume(throwing: code.error)
      }
    }
  }
}
