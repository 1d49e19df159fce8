import AuthCore
import NIOConcurrencyHelpers

/// A vendor's records: people, apps, keys, codes and tokens.
public final class VendorRecords: Sendable {
  static let accessTokenSeconds: Int64 = 3600
  static let codeSeconds: Int64 = 600

  struct Contents {
    var clients: [FakeClient]
    var people: [FakePerson]
    var signedIn: FakePerson?
    var misbehavior = VendorMisbehavior()
    var grantCount = 0
    var codes: [String: Grant] = [:]
    var usedCodes: [String: Int] = [:]
    var accessTokens: [String: Grant] = [:]
    var refreshTokens: [String: Grant] = [:]
    /// The people whose names each app has already received.
    var introductions: Set<[String]> = []
  }

  /// The URL of the vendor's server, without a final slash.
  let url: String
  let issuer: String
  let keys: VendorKeys
  let clock: @Sendable () -> Timestamp
  private let contents: NIOLockedValueBox<Contents>

  init(
    name: String, url: String, issuer: String, algorithm: SigningAlgorithm = .rs256,
    clients: [FakeClient], people: [FakePerson], clock: @escaping @Sendable () -> Timestamp
  ) {
    self.url = url
    self.issuer = issuer
    self.clock = clock
    keys = VendorKeys(name: name, algorithm: algorithm)
    contents = NIOLockedValueBox(Contents(clients: clients, people: people))
  }

  func with<Result: Sendable>(_ body: (inout Contents) -> sending Result) -> Result {
    contents.withLockedValue { contents in body(&contents) }
  }

  var misbehavior: VendorMisbehavior { with(\.misbehavior) }

  func client(_ id: String) -> FakeClient? {
    with { $0.clients.first { $0.id == id } }
  }

  /// Adds a person, or replaces the earlier record of the same subject.
  func admit(_ person: FakePerson) {
    with { contents in
      contents.people.removeAll { $0.subject == person.subject }
      contents.people.append(person)
    }
  }

  /// The current record of a grant's person.
  func person(of grant: Grant) -> FakePerson {
    with { $0.people.first { $0.subject == grant.person.subject } ?? grant.person }
  }

  /// The person at the browser: from its cookie, the app's hint, the sign-in, or else the first person.
  func person(at request: VendorRequest) -> FakePerson? {
    let cookie = request.cookie("person")
    let hint = request.query["login_hint"]
    return with { contents in
      if let cookie { return contents.people.first { $0.subject == cookie } }
      let hinted = contents.people.first {
        hint != nil && ($0.subject == hint || $0.email == hint)
      }
      return hinted ?? contents.signedIn ?? contents.people.first
    }
  }

  /// Tells whether an app meets a person for the first time, and records it.
  func introduces(_ person: FakePerson, to clientID: String) -> Bool {
    with { $0.introductions.insert([person.subject, clientID]).inserted }
  }
}
