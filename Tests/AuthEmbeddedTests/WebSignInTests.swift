import AuthClient
import AuthCore
import FakeVendors
import Foundation
import Testing

@Suite("Signing in at a provider's page on every backend") struct WebSignInTests {
  @Test(arguments: Backend.production)
  func `a browser's answer signs in, links and reauthenticates`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let browser = Browser(try #require(home.vendors), as: .ada)
      let provider = OAuthProvider(providerID: "oidc.work", auth: home.auth)
      provider.scopes = ["email", "profile"]
      provider.customParameters = ["prompt": "login"]

      let made = try await home.auth.signIn(with: provider, uiDelegate: browser)

      #expect(made.additionalUserInfo?.isNewUser == true)
      #expect(made.user.providerData.map(\.providerID) == ["oidc.work"])
      let page = try #require(browser.pages.first)
      #expect(page.contains("prompt=login") && page.contains("profile"))
      let again = try await made.user.reauthenticate(with: provider, uiDelegate: browser)
      #expect(again.user === made.user)

      let other = home.another()
      let linked = try await other.signInAnonymously().user
      let bo = Browser(try #require(home.vendors), as: .bo)
      try await linked.link(
        with: OAuthProvider(providerID: "oidc.work", auth: other), uiDelegate: bo)
      #expect(linked.providerData.map(\.providerID) == ["oidc.work"])
      let third = home.another()
      let stranger = try await third.signInAnonymously().user
      try await expectError(.credentialAlreadyInUse) {
        try await stranger.link(
          with: OAuthProvider(providerID: "oidc.work", auth: third), uiDelegate: bo)
      }
    }
  }

  @Test(arguments: Backend.production)
  func `a sign-in that is cancelled or has no page fails`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let provider = OAuthProvider(providerID: "oidc.work", auth: home.auth)
      try await expectError(.webInternalError) {
        try await home.auth.signIn(with: provider, uiDelegate: nil)
      }
      try await expectError(.webContextCancelled) {
        try await home.auth.signIn(with: provider, uiDelegate: Closed())
      }
      try await expectError(.operationNotAllowed) {
        let unknown = OAuthProvider(providerID: "oidc.nowhere", auth: home.auth)
        return try await home.auth.signIn(with: unknown, uiDelegate: Closed())
      }
      #expect(home.auth.currentUser == nil)
    }
  }

  @Test(arguments: Backend.production)
  func `attack 11: an answer to another session's request signs no user in`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let vendors = try #require(home.vendors)
      let stolen = Browser(vendors, as: .ada)
      let provider = OAuthProvider(providerID: "oidc.work", auth: home.auth)
      _ = try await provider.credential(with: stolen)
      let answer = try #require(stolen.ends.last)

      try await expectError(.invalidCredential) {
        try await home.another().signIn(
          with: OAuthProvider(providerID: "oidc.work", auth: home.another()),
          uiDelegate: Replaying(answer))
      }
    }
  }
}

/// A browser in which one person signs in, and whose final address the app captures.
private final class Browser: NSObject, WebAuthPresenting, @unchecked Sendable {
  // Each instance is used by one test, one step after the other.
  let returnURL = returnAddress
  private let vendors: Vendors
  private let person: FakePerson
  private(set) var pages: [String] = []
  private(set) var ends: [URL] = []

  init(_ vendors: Vendors, as person: FakePerson) {
    self.vendors = vendors
    self.person = person
  }

  func present(_ page: URL) async throws -> URL {
    pages.append(page.absoluteString)
    let answer = try await vendors.oidc.authorize(page.absoluteString, as: person)
    let fields = answer.parameters.sorted { $0.key < $1.key }.map {
      (name: $0.key, value: $0.value)
    }
    let end = try #require(URL(string: URLText.adding(fields, to: returnURL.absoluteString)))
    ends.append(end)
    return end
  }
}

/// A browser window that closes at once.
private final class Closed: NSObject, WebAuthPresenting {
  let returnURL = returnAddress

  func present(_ page: URL) async throws -> URL { throw GaveUp() }

  struct GaveUp: Error {}
}

/// A presenter that returns the final address of another browser.
private final class Replaying: NSObject, WebAuthPresenting {
  let returnURL = returnAddress
  private let end: URL

  init(_ end: URL) { self.end = end }

  func present(_ page: URL) async throws -> URL { end }
}

/// The final address of the browser.
private let returnAddress = URL(string: "http://localhost/__/auth/handler") ?? URL(filePath: "/")
