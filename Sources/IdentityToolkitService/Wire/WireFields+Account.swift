import AuthCore
import IdentityToolkit

extension WireFields {
  /// An address in lower case, as Firebase keeps them; nil where none was sent.
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

  /// A number; throws `INVALID_PHONE_NUMBER`.
  func phoneNumber(_ name: String = "phoneNumber") throws(WireError) -> PhoneNumber? {
    guard let text = try filled(name) else { return nil }
    do throws(AuthError) { return try PhoneNumber(normalizing: text) } catch {
      throw WireError("INVALID_PHONE_NUMBER", "Invalid format.")
    }
  }

  /// A text that is kept; an empty one takes the field's value away.
  func change(_ name: String) throws(WireError) -> Change<String> {
    guard let text = try text(name) else { return .leave }
    return text.isEmpty ? .clear : .set(text)
  }

  /// A time in milliseconds or, where it says so, in seconds.
  func time(_ name: String, unit milliseconds: Int64 = 1) throws(WireError) -> Timestamp? {
    guard let number = try integer(name) else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: milliseconds)
    guard !overflow else { throw .invalidPayload("/\(name) is out of range") }
    return Timestamp(milliseconds: product)
  }
}
