/// One of the sixteen ways to rename providers, the subjects of each, and addresses.
///
/// Uids are renamed as well, in six ways, so that a snapshot without any symmetry stands for 96.
struct Renaming: Hashable, Sendable {
  let bits: UInt8

  static let all = (0..<16 as Range<UInt8>).map(Renaming.init)
  static let identity = Renaming(bits: 0)
  /// The number of renamings, uids included.
  static let count = 96

  var swapsProviders: Bool { bits & 1 != 0 }
  var swapsAddresses: Bool { bits & 8 != 0 }

  /// Tells whether the two subjects of a provider, under its old name, are swapped.
  func swapsSubjects(of provider: Int) -> Bool { bits & (2 << UInt8(provider)) != 0 }

  func provider(_ provider: Int) -> Int { swapsProviders ? 1 - provider : provider }

  func subject(_ subject: Int, of provider: Int) -> Int {
    swapsSubjects(of: provider) ? 1 - subject : subject
  }

  /// Returns the new address for 1 or 2; 0 stays none.
  func address(_ address: Int) -> Int {
    swapsAddresses && address > 0 ? 3 - address : address
  }

  func callAsFunction(_ account: SmallAccount) -> SmallAccount {
    let fixed = account.bits & ~0b1_1111_1011
    var bits = fixed | UInt16(address(account.address)) | account.bits & SmallAccount.verified
    for old in 0..<2 {
      var subjects = account.subjects(of: old)
      if swapsSubjects(of: old) { subjects = subjects >> 1 | (subjects & 1) << 1 }
      bits |= subjects << UInt16(3 + 2 * provider(old))
      if account.isVouchedFor(by: old) { bits |= 1 << UInt16(7 + provider(old)) }
    }
    return SmallAccount(bits: bits)
  }
}
