/// A code that was sent to a phone and is not used yet.
public struct OpenPhoneCode: Sendable {
  /// The purpose of a code.
  public enum Purpose: Sendable, Hashable {
    /// A sign-in, or a link.
    case signIn
    /// The second factor of a pending sign-in.
    case secondFactor
    /// The enrolment with this session.
    case enrollment(session: String)
  }

  /// The purpose of the code.
  public let purpose: Purpose
  /// The number it was sent to.
  public let number: PhoneNumber
  /// The ID of the code, which the client sends back with it.
  public let verificationID: String
  /// The digits of the code.
  public let code: Secret<String>
}

extension AccountGraph {
  /// Returns the open phone codes of a scope, oldest first, for the emulator's list.
  ///
  /// Throws `operation-not-allowed` if codes expire, because then only the recipient may see them.
  public func openPhoneCodes(in scope: Scope) async throws -> [OpenPhoneCode] {
    try services.quirks.checkListing()
    let open = try await codes(in: scope).all().sorted {
      ($0.content.madeAt ?? .never, $0.id) < ($1.content.madeAt ?? .never, $1.id)
    }
    var codes: [OpenPhoneCode] = []
    for (id, account, content) in open {
      guard let purpose = OpenPhoneCode.Purpose(content.purpose),
        let number = try await number(of: content, purpose, account, in: scope)
      else { continue }
      codes.append(
        OpenPhoneCode(
          purpose: purpose, number: number, verificationID: id, code: Secret(content.code)))
    }
    return codes
  }

  /// Returns the number that a code was sent to; for a second factor it is stored with the factor alone.
  private func number(
    of content: OneTimeCodes.Content, _ purpose: OpenPhoneCode.Purpose, _ account: AccountID?,
    in scope: Scope
  ) async throws -> PhoneNumber? {
    guard purpose == .secondFactor else { return try? PhoneNumber(content.subject) }
    guard let account,
      case .phone(let number)? = try? await factor(
        content.subject, of: account, in: scope
      ).kind
    else { return nil }
    return number
  }
}

extension OpenPhoneCode.Purpose {
  /// Reads the purpose of a code; nil for one that is not sent to a phone.
  init?(_ text: String) {
    if text == "phone-sign-in" {
      self = .signIn
    } else if text.hasPrefix(AccountGraph.purpose("")) {
      self = .secondFactor
    } else if text.hasPrefix(OpenEnrollment.purpose("")) {
      self = .enrollment(session: String(text.dropFirst(OpenEnrollment.purpose("").count)))
    } else {
      return nil
    }
  }
}

extension OneTimeCodes {
  /// Returns every stored code that is not used.
  func all() async throws -> [(id: String, account: AccountID?, content: Content)] {
    let records = try await store.read { [scope] reader in
      var open: [OneTimeRecord] = []
      var after: String?
      repeat {
        let page = try reader.oneTimeRecords(.code, after: after, limit: 500, in: scope)
        open += try page.filter {
          try reader.oneTimeRecord(Self.use(of: $0).recordID, in: scope) == nil
        }
        after = page.last?.id
      } while after != nil
      return open
    }
    return try records.map { record in
      let json = try secrets.open(record.content, for: "code \(record.id)")
      return (record.id, record.account, try JSONText.decode(Content.self, json))
    }
  }
}
