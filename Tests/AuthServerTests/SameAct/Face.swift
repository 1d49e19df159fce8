import AuthCore

/// A way to have something done: each has words of its own, and no rules.
protocol Face: Sendable {
  var name: FaceName { get }

  /// Tells if the face has words for an act.
  func can(_ act: Act) -> Bool

  /// Does an act; throws ``Refused`` if the face refuses it.
  func perform(_ act: Act, on stage: Stage) async throws
}

/// Names a face; the first of those that can do an act is what others are compared with.
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

  /// True if it brings many accounts at once, of which the audit keeps no rules.
  var isImport: Bool {
    [.batchCreate, .importRecords, .file, .importAccounts].contains(self)
  }
}

/// The refusal of an act by a face.
struct Refused: Error {
  /// The code of the refusal, if the face tells; the audit's counts before it.
  var code: String?
  /// The words of the face.
  let said: String
}

/// A face was asked for an act that it has no words for.
struct Wordless: Error {
  let face: FaceName
}

extension Refused {
  /// Throws if a reply is no success, also one with the status of a success.
  static func unlessDone(_ reply: Reply, codes: [String: String] = [:]) throws {
    let says = ["errorMessage", "temporaryProof", "needConfirmation", "mfaPendingCredential"]
    guard reply.status != 200 || says.contains(where: { reply.json[$0] != nil }) else { return }
    let message = reply.message ?? reply.text
    throw Refused(code: codes[message], said: message)
  }
}
