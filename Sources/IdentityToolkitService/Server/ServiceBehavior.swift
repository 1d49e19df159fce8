/// Every point at which a service may decide otherwise than production does.
///
/// The requirements stand beside the rules that they belong to, with production's decision as their default.
protocol ServiceBehavior: AssemblyBehavior, RequestBehavior, SessionBehavior, AccountBehavior,
  FactorBehavior, MessageBehavior, FederationBehavior, ProjectBehavior, UploadBehavior
{}

/// The decisions of production.
struct ProductionBehavior: ServiceBehavior {}

extension ServerMode {
  /// The decisions of a mode.
  var behavior: any ServiceBehavior {
    switch self {
    case .production: ProductionBehavior()
    case .emulator: EmulatorBehavior()
    }
  }
}
