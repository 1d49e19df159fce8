import AuthCore
import IdentityToolkit

extension WireFields {
  /// Returns an address in lower case, as Firebase stores it, or nil if none was sent.
  ///
  /// Throws `INVALID_EMAIL`, also for an empty text.
  func email(_ name: String = "email") throws(WireError) -> EmailAddress? {
    guard let text = try text(name) else { return nil }
    return try Self.email(text)
  }

  static func email(_ text: String) throws(WireError) -> EmailAddress {
    do throws(AuthError) {
      return try EmailAddress(try EmailAddress(text).canonical)
    } catch {
      throw WireError("INVALID_EMAIL")
    }
  }

  /// Returns a phone number; throws `INVALID_PHONE_NUMBER`.
  func phoneNumber(_ name: String = "phoneNumber") throws(WireError) -> PhoneNumber? {
    guard let text = try filled(name) else { return nil }
    do throws(AuthError) { return try PhoneNumber(normalizing: text) } catch {
      throw WireError("INVALID_PHONE_NUMBER", "Invalid format.")
    }
  }

  /// Returns the change to a text.
  ///
  /// An empty one removes the value.
  func change(_ name: String) throws(WireError) -> Change<String> {
    guard let text = try text(name) else { return .leave }
    return text.isEmpty ? .clear : .set(text)
  }

  /// Returns a time.
  ///
  /// The field is in milliseconds, or in units of `milliseconds`.
  func time(_ name: String, unit milliseconds: Int64 = 1) throws(WireError) -> Timestamp? {
    guard let number = try integer(name) else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: milliseconds)
    guard !overflow else { throw .invalidPayload("/\(name) is out of range") }
    return Timestamp(milliseconds: product)
  }
}
