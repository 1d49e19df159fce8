import AuthCore

/// An interface to acts.
///
/// Each has request forms of its own, and no rules.
protocol Face: Sendable {
  var name: FaceName { get }

  /// Returns true if the interface supports an act.
  func can(_ act: Act) -> Bool

  /// Performs an act; throws ``Refused`` if the interface refuses it.
  func perform(_ act: Act, on stage: Stage) async throws
}

/// The name of an interface.
///
/// The first one that supports an act is the reference for the others.
enum FaceName: String, Sendable, CaseIterable {
  case console = "the console"
  case client = "REST with an ID token"
  case adminSDK = "the Admin SDK's REST"
  case administration = "/admin/v1"
  case embedded = "the embedded client"
  case batchCreate = "accounts:batchCreate"
  case importRecords = "importRecords"
  case file = "authgraph import"
  case importAccounts = "importAccounts"

  var face: any Face {
    switch self {
    case .console: ConsoleFace()
    case .client: ClientFace()
    case .adminSDK: AdminSDKFace()
    case .administration: AdministrationFace()
    case .embedded: EmbeddedFace()
    case .batchCreate: BatchCreateFace()
    case .importRecords: ImportRecordsFace()
    case .file: FileFace()
    case .importAccounts: ImportAccountsFace()
    }
  }

  /// True if it imports many accounts at once; the audit log keeps no rules of these.
  var isImport: Bool {
    [.batchCreate, .importRecords, .file, .importAccounts].contains(self)
  }
}

/// The refusal of an act by an interface.
struct Refused: Error {
  /// The code of the refusal, if the interface reports it.
  ///
  /// The audit log's takes precedence.
  var code: String?
  /// The interface's own text.
  let said: String
}

/// An act that the interface does not support.
struct Wordless: Error {
  let face: FaceName
}

extension Refused {
  /// Throws if a reply is no success, even with a success status.
  static func unlessDone(_ reply: Reply, codes: [String: String] = [:]) throws {
    let says = ["errorMessage", "temporaryProof", "needConfirmation", "mfaPendingCredential"]
    guard reply.status != 200 || says.contains(where: { reply.json[$0] != nil }) else { return }
    let message = reply.message ?? reply.text
    throw Refused(code: codes[reply.code ?? message], said: message)
  }
}
