/// Every decision in which a service may differ from production.
///
/// The requirements are declared beside the rules that use them, with production's decision as the default.
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
