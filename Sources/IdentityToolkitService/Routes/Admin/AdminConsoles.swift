import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let collection = "/projects/{project}/console"
  private static let one = "\(collection)/{id}"

  private static let statement = Schema.Member(
    "statement", Schema.number, "The number of the statement; each is higher than the one before.",
    required: true)

  private static let code = Schema.Member("code", Schema.text, "Lua.", required: true)

  private static let window = Schema.Member(
    "window", Schema.map(most: 10),
    "The places for which output is laid out: results and notices, each with isTerminal, width, color and zone."
  )

  static let consoles: [AdminOperation] = [
    console(
      .open, collection, "Opens a session of the console.",
      body: [
        Schema.Member("version", Schema.number, "The version of the protocol; 1."),
        Schema.Member("isJSON", Schema.flag, "Results are JSON."),
        Schema.Member("isReadOnly", Schema.flag, "Every write is refused."),
        Schema.Member(
          "isInteractive", Schema.flag,
          "A person types the statements, and rehearses writes if the settings want that."),
        Schema.Member(
          "origin", Schema.text, "The reason of writes if there is no other; console if not given."),
        Schema.Member(
          "reason", Schema.text,
          "Why the person opens it: the reason of writes without one of their own."),
      ],
      answer: [
        "id": Schema.text, "version": Schema.number, "scope": Schema.text, "actor": Schema.text,
        "idleSeconds": Schema.number, "rehearsed": Schema.number,
      ]),
    console(
      .evaluate, "\(one):evaluate", "Begins a statement, and answers with its first output.",
      body: [
        statement, code, window,
        Schema.Member("name", Schema.text, "The origin of the code; the prompt if not given."),
        Schema.Member("linesBefore", Schema.number, "The lines of the origin before the code."),
        Schema.Member(
          "isStart", Schema.flag, "The code is a start-up file, whose results nobody sees."),
        Schema.Member(
          "arguments", Schema.list(Schema.text, most: 1000),
          "The arguments of a script, whose values are shown if it printed nothing."),
      ], answer: page),
    console(
      .output, "\(one):output",
      "The further output of a statement; waits for up to 15 seconds if there is none.",
      body: [
        statement,
        Schema.Member(
          "next", Schema.number, "What the last answer gave; what is before it is forgotten."),
      ], answer: page),
    console(
      .answer, "\(one):answer", "Answers a question in the output.",
      body: [
        Schema.Member("question", Schema.number, "The ID of the question.", required: true),
        Schema.Member("text", Schema.text, "What was typed."),
        Schema.Member("lines", Schema.list(Schema.text, most: 1000), "Lines of standard input."),
        Schema.Member("isEnd", Schema.flag, "Standard input ended after the lines."),
        Schema.Member("bytes", Schema.text, "The bytes of a file, in base64."),
        Schema.Member("offset", Schema.number, "The place of the bytes in the file."),
        Schema.Member("more", Schema.flag, "Further bytes follow in another request."),
        Schema.Member("refused", Schema.text, "Why there is no answer."),
      ], answer: [:]),
    console(
      .interrupt, "\(one):interrupt", "Stops the running statement, as Ctrl-C does.", body: [],
      answer: [:]),
    console(
      .complete, "\(one):complete", "What may stand at the cursor of a line.",
      body: [
        Schema.Member("line", Schema.text, "The line.", required: true),
        Schema.Member(
          "cursor", Schema.number, "The bytes before the cursor; the end if not given."),
      ], answer: ["start": Schema.number, "candidates": Schema.list(Schema.text)]),
    console(
      .check, "\(one):check", "Tells whether code goes on in a further line.", body: [code],
      answer: ["isIncomplete": Schema.flag]),
    console(.close, one, "Closes a session.", method: .delete, body: [], answer: [:]),
  ]

  private static let page: [String: JSONValue] = [
    "statement": Schema.number, "requestID": Schema.text, "next": Schema.number,
    "pieces": Schema.list(Schema.map), "lost?": Schema.number, "end?": Schema.map,
  ]

  private static func console(
    _ operation: ConsoleRequest.Operation, _ path: String, _ summary: String,
    method: Route.Method = .post, body: [Schema.Member], answer: [String: JSONValue]
  ) -> AdminOperation {
    var errors = [404: "There is no such session of this token, or no longer."]
    if operation == .output { errors[409] = "The statement did not arrive, and never will." }
    return AdminOperation(
      method: method, path: path, id: "\(operation.rawValue)Console", summary: summary,
      needs: .readConsole, body: body, answer: Schema.object(answer), errors: errors,
      needsGenuineAdmin: true
    ) { try await $0.console(operation) }
  }
}

extension AdminHandler {
  fileprivate func console(_ operation: ConsoleRequest.Operation) async throws -> Answer {
    guard let consoles = services.administration.consoles, let right = call.right else {
      throw AuthError(
        .operationNotAllowed, "This server has no console.",
        remedy: "Run authgraph console on the machine of its store.")
    }
    let answer = try await consoles.answer(
      ConsoleRequest(
        operation: operation, session: path["id"], body: .object(body.members), right: right,
        scope: scope, client: client, graph: graph))
    return switch answer {
    case .done(let json): .json(json)
    case .gone:
      Self.refusal(404, "console-gone", "There is no such session of this token, or no longer.")
    case .neverBegun:
      Self.refusal(
        409, "statement-never-begun", "The statement did not arrive, and is refused from now on.")
    }
  }

  private static func refusal(_ status: Int, _ reason: String, _ message: String) -> Answer {
    .json(
      [
        "error": [
          "code": .integer(Int64(status)), "reason": .string(reason), "message": .string(message),
        ]
      ], status: status)
  }
}
