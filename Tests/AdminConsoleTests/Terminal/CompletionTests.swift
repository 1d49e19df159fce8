import Testing

@testable import AdminConsole

@Suite struct CompletionTests {
  @Test func `a single candidate replaces the word as it is`() {
    let completion = Completion(of: "x = acc", cursor: 7, start: 4, candidates: ["accounts"])

    #expect(completion.deleted == 3)
    #expect(completion.inserted == "accounts")
    #expect(completion.listed.isEmpty)
  }

  @Test func `several candidates insert their common beginning and are all listed`() {
    let completion = Completion(
      of: "a", cursor: 1, start: 0, candidates: ["ada.email", "ada.emailVerified", "ada.email"])

    #expect(completion.inserted == "ada.email")
    #expect(completion.listed == ["ada.email", "ada.emailVerified"])
  }

  @Test func `nothing that was typed is lost to a shorter beginning`() {
    let completion = Completion(of: "AB", cursor: 2, start: 0, candidates: ["abc", "abd"])

    #expect(!completion.changesLine)
    #expect(completion.listed == ["abc", "abd"])
  }

  @Test func `deletion counts code points and not bytes`() {
    let completion = Completion(of: "größ", cursor: 6, start: 0, candidates: ["größe"])

    #expect(completion.deleted == 4)
    #expect(completion.inserted == "größe")
  }

  @Test(arguments: [(-1, 1), (2, 1), (0, 9), (0, 2)])
  func `offsets outside of the text complete nothing`(_ start: Int, _ cursor: Int) {
    let completion = Completion(of: "aß", cursor: cursor, start: start, candidates: ["b"])

    #expect(!completion.changesLine && completion.listed.isEmpty)
  }

  @Test func `no candidate and the word itself change nothing`() {
    #expect(!Completion(of: "a", cursor: 1, start: 0, candidates: []).changesLine)
    #expect(!Completion(of: "a", cursor: 1, start: 0, candidates: ["a"]).changesLine)
  }

  @Test func `the list is read downwards and is harmless`() {
    let completion = Completion(
      of: "", cursor: 0, start: 0, candidates: ["one", "two", "three", "four", "a\u{1B}"])

    #expect(
      completion.listing(width: 22) == """
        one      four
        two      a\\u{1B}
        three
        """)
  }

  @Test func `the list has two hundred of a thousand candidates`() {
    let completion = Completion(
      of: "", cursor: 0, start: 0, candidates: (1...1000).map { "c\($0)" })

    let lines = completion.listing(width: 80).split(separator: "\n")

    #expect(lines.last == "… and 800 more")
    #expect(lines.allSatisfy { String($0).displayWidth <= 80 })
  }
}
