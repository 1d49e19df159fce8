public import AuthCore

/// A person with an account at a vendor.
public struct FakePerson: Hashable, Sendable {
  /// The vendor's ID of the person.
  public var subject: String
  /// The e-mail address.
  public var email: String?
  /// The vendor's statement on the address; nil if it makes none.
  public var emailVerified: Bool?
  /// The full name.
  public var name: String?
  /// The address of the picture.
  public var picture: String?
  /// Further claims of ID tokens and profiles, such as Google's `hd`; they replace the usual ones.
  public var claims: [String: JSONValue]

  /// Makes a person.
  public init(
    subject: String, email: String? = nil, emailVerified: Bool? = true, name: String? = nil,
    picture: String? = nil, claims: [String: JSONValue] = [:]
  ) {
    self.subject = subject
    self.email = email
    self.emailVerified = email == nil ? nil : emailVerified
    self.name = name
    self.picture = picture
    self.claims = claims
  }

  /// Ada, with a verified address.
  public static let ada = FakePerson(
    subject: "110169484474386276334", email: "ada@example.com", name: "Ada Lovelace",
    picture: "https://people.example/ada.png")

  /// Bo, another person with a verified address.
  public static let bo = FakePerson(
    subject: "220169484474386276335", email: "bo@example.com", name: "Bo Diddley")

  /// Mallory, who claims Ada's address; the vendor has not verified it.
  public static let mallory = FakePerson(
    subject: "660169484474386276336", email: "ada@example.com", emailVerified: false,
    name: "Mallory")
}
