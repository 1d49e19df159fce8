/// A vendor's statements about a person at a sign-in, in the form in which the app gets them too.
package struct VendorStatements: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The person's profile, as JSON in a text.
  package var profile: String?
  /// The attribute statements of a SAML assertion; null for other vendors.
  package var attributes = JSONValue.null

  /// Makes an empty set.
  package init() {}

  /// The placeholder `•••`.
  package var description: String { SecretPlaceholder.text }

  /// An empty mirror, so that dumping the statements does not show them.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
