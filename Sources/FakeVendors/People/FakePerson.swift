public import AuthCore

/// Describes somebody who has an account with a vendor.
public struct FakePerson: Hashable, Sendable {
  public var subject: String
  public var email: String?
  /// The vendor's word on the address; nil where it says nothing.
  public var emailVerified: Bool?
  public var name: String?
  public var picture: String?
  /// What ID tokens and profiles say beside that, such as `hd` of Google; replaces what they would say.
  public var claims: [String: JSONValue]

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

  /// Bo, somebody else with a verified address.
  public static let bo = FakePerson(
    subject: "220169484474386276335", email: "bo@example.com", name: "Bo Diddley")

  /// Mallory, who says that Ada's address is hers; the vendor has not verified it.
  public static let mallory = FakePerson(
    subject: "660169484474386276336", email: "ada@example.com", emailVerified: false,
    name: "Mallory")
}
