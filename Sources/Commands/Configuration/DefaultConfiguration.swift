/// The configuration file that `authgraph config init` writes.
enum DefaultConfiguration {
  static let text = """
    # AuthGraph's configuration. A commented line shows the default, or an example if there is no default.
    # Each setting can also be a variable of the environment, which takes precedence: listen.port is
    # AUTHGRAPH_LISTEN_PORT. Paths are relative to this file's folder. Secrets are kept in files of their own:
    # { file: PATH }. `authgraph config check` reports errors, and SIGHUP makes a server read this file again.

    # The address at which people reach the server; links in messages begin with it. Outside this machine it
    # needs https.
    publicURL: http://127.0.0.1:9099

    # sqlite:PATH; postgres://USER@HOST:PORT/DATABASE, which several servers can share; or memory for a store that ends
    # with the server. A URL with a password is a secret: { file: PATH }, or AUTHGRAPH_STORE.
    store: sqlite:accounts.db

    # PostgreSQL's hot standbys, which answer lookups. A request never reads data there that is older than the request.
    # replicas: [postgres://USER@HOST:PORT/DATABASE]

    # The key that seals secrets in the store. A relative path starts from this file's folder, unlike that of --key-file.
    # The key is created for a store that has none; a store refuses every key but its own. Commands on the store need
    # the key too: --key-file or AUTHGRAPH_KEY_FILE. Keep a copy of it elsewhere. With PostgreSQL the setting is
    # required, and each server needs a copy of the same key.
    # keyFile: accounts.db.key

    # The project of requests that do not name one, and further projects.
    # project: default
    # projects: []
    # projectNumber: "12345"

    # The API keys of apps. Without a list, every key is accepted. With several projects, list them by project:
    # apiKeys: { default: [KEY], other-project: [ANOTHER] }
    # apiKeys: []

    listen:
      host: 127.0.0.1
      port: 9099

    # tls: { certificate: fullchain.pem, key: privkey.pem }
    # http2: true

    # production, or emulator for tests, which trusts every client.
    # compat: production

    # The emulator's answer to requests for a project that is not listed here: off, warn or error.
    # singleProjectMode: warn

    # Folders of provider plug-ins, and the keys that may sign bundles in them. Without keys, every bundle that
    # authgraph plugin install has installed is loaded.
    # plugins: [plugins]
    # pluginKeys: ["ed25519:…"]

    # messages:
    #   smtp:
    #     host: mail.example.com
    #     protection: starttls        # tls, starttls or none
    #     port: 587
    #     from: no-reply@example.com
    #     fromName: Example
    #     user: authgraph
    #     password: { file: smtp-password }
    #   webhook:                      # phones, and mail without smtp
    #     url: https://messages.example.com/send
    #     secret: { file: messages-secret }
    #   log: false                    # writes codes and links to standard error; never in production
    #   templates: templates          # KIND.txt and KIND.html, as email-link.txt
    #   projectNames: { default: Example }

    # A service of yours that receives the events of accounts, from the moment at which it is configured.
    # outbox:
    #   url: https://events.example.com/authgraph
    #   secret: { file: outbox-secret }

    # The calls of the app's functions before sign-ins. The settings of the project name the functions.
    # blockingFunctions: { privateHosts: [], timeoutSeconds: 7 }

    # The maximum rates of requests; 0 means no limit. For a server of tests, rateLimits: 0 turns all of them off.
    # rateLimits:
    #   requestsPerAddressAndMinute: 1200
    #   signUpsPerAddressAndHour: 100
    #   messagesPerAddressAndHour: 60
    #   attemptsPerAccountAndAddressAndHour: 30   # wrong passwords from one address
    #   attemptsPerAccountAndHour: 600            # wrong passwords from all addresses together
    #   codesPerRecipientAndAddressAndHour: 10    # codes and links to one mailbox or phone
    #   codesPerRecipientAndHour: 30              # the same for all addresses together
    #   wrongCodesPerRecipientAndAddressAndHour: 20
    #   wrongCodesPerRecipientAndHour: 60
    #   secondFactorCodesPerAccountAndHour: 10    # wrong codes, and phones that are being enrolled

    # Proxies whose X-Forwarded-For and X-Request-Id are trusted.
    # trustedProxies: [10.0.0.0/8]

    # The limits of one request, of one address and of all requests. A proxy in trustedProxies is not an address.
    # limits:
    #   bodyBytes: 10485760             # the longest body of an admin, such as an import
    #   clientBodyBytes: 262144         # the longest body of a client
    #   bodyBytesInFlight: 67108864     # all bodies together; further requests get 503 meanwhile
    #   requestSeconds: 30
    #   idleSeconds: 60
    #   connections: 10000              # further ones wait
    #   connectionsPerAddress: 256      # further ones are closed; 0 means no limit

    # The access to /metrics: open, token (an admin token with the scope server), or off. The default is open if
    # listen.host and publicURL are this machine's own, and off otherwise.
    # metrics: token

    # The signature of ID tokens and session cookies: RS256, which Firebase's SDKs require, or ES256.
    # signing: RS256

    # The destination of spans: off, or log.
    # tracing: off

    logging:
      level: info                     # trace, debug, info, notice, warning, error or critical
      format: text                    # text or json
      # showsEmails: false

    # The origins whose scripts may send requests; empty for all.
    # cors: { origins: [] }

    """
}
