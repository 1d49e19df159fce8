import AuthCore
public import FakeVendors
public import LuaPlugins

extension IdentityScript {
  /// Adds the vendor of a plug-in with its fixture's answers, and its issuer unless the script names one.
  ///
  /// Throws the errors of a fixture that cannot be read.
  public mutating func play(_ declaration: PluginDeclaration, of source: PluginSource) throws {
    let vendor = PlayedVendor(
      declaration, fixture: source.hasFixture ? try Fixture(of: source) : nil)
    self.vendor = vendor
    issuer = issuer ?? vendor.issuer(of: declaration)
    if let algorithm = declaration.algorithms.first(where: SigningKey.algorithms.contains) {
      self.algorithm = algorithm
    }
  }
}
