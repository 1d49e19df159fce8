extension PluginWord {
  /// The words that ask the vendor.
  static let fetching = [
    PluginWord(
      .fetching, "http.get",
      forms: [
        "http.get(\"https://api.example.com/me\", { bearer = accessToken }):json()",
        "http.get(url, { headers = { … }, query = { … }, statuses = { 404 } })",
      ],
      "Sends a GET request and returns the response. Options: bearer and scheme, basic = { name, password }, "
        + "headers, query, and statuses, the statuses from 400 to 499 that are returned too. Any other failure ends "
        + "the sign-in, even inside pcall: 4xx with invalid-credential; 5xx, 429, a redirect, a timeout or a body that "
        + "is too long with network-request-failed. A secret can be used for any value."),
    PluginWord(
      .fetching, "http.post",
      forms: ["http.post(url, { form = { … } })", "http.post(url, { json = { … } })"],
      "Sends a POST request with a form or JSON; the other options are those of http.get."),
    PluginWord(
      .fetching, "response",
      forms: [
        "response:json()", "response:text()", "response.status", "response.ok",
        "response.headers[\"name\"]",
      ],
      "The response of a request. json() returns an object or a list, without members that are null."
    ),
  ]
}
