/// The configuration file that `authgraph config init` writes.
enum DefaultConfiguration {
  static let text = """
    # AuthGraph's configuration. What is commented out is the default, or an example where there is none.
    # Each setting has a variable of the environment too, which wins: listen.port is AUTHGRAPH_LISTEN_PORT.
    # Paths are meant from this file's folder. Secrets never stand here, but in files of their own:
    # { file: PATH }. `authgraph config check` says what is wrong, and SIGHUP has a server read it again.

    # Where people reach the server; links in messages begin with it. https beyond this machine.
    publicURL: http://127.0.0.1:9099

    # sqlite:PATH; postgres://USER@HOST:PORT/DATABASE, which several servers may share; or memory for a store that is
    # gone with the server. A URL with a password is a secret: { file: PATH }, or AUTHGRAPH_STORE.
    store: sqlite:accounts.db

    # Servers that follow the one of PostgreSQL (hot standbys) and answer lookups; nobody reads there what is older
    # than their request.
    # replicas: [postgres://USER@HOST:PORT/DATABASE]

    # The key that secrets in the store are sealed with; a relative path is meant from this file's folder, unlike that
    # of --key-file. It is made for a store that has none; a store that has one refuses every other. Commands on the
    # store need it too: --key-file or AUTHGRAPH_KEY_FILE. Keep a copy of it elsewhere. With PostgreSQL it has to be named, and each server needs a copy of the same.
    # keyFile: accounts.db.key

    # The project of requests that name none, and further ones.
    # project: default
    # projects: []
    # projectNumber: "12345"

    # The API keys that apps name; without any, every key is taken. By project where there are several:
    # apiKeys: { default: [KEY], other-project: [ANOTHER] }
    # apiKeys: []

    listen:
      host: 127.0.0.1
      port: 9099

    # tls: { certificate: fullchain.pem, key: privkey.pem }
    # http2: true

    # production, or emulator for tests: it believes everybody.
    # compat: production

    # Folders of provider plug-ins.
    # plugins: [plugins]

    # messages:
    #   smtp:
    #     host: mail.example.com
    #     protection: starttls        # tls, starttls or none
    #     port: 587
    #     from: no-reply@example.com
    #     fromName: Example
    #     user: authgraph
    #     password: { file: smtp-password }
    #   webhook:                      # phones, and mail where there is no smtp
    #     url: https://messages.example.com/send
    #     secret: { file: messages-secret }
    #   log: false                    # writes codes and links to standard error; never in production
    #   templates: templates          # KIND.txt and KIND.html, as email-link.txt
    #   projectNames: { default: Example }

    # What happens to accounts, told to a service of yours; events of before this was configured are not.
    # outbox:
    #   url: https://events.example.com/authgraph
    #   secret: { file: outbox-secret }

    # How the app's functions are asked before sign-ins; which there are is a setting of the project.
    # blockingFunctions: { privateHosts: [], timeoutSeconds: 7 }

    # How often something may be asked; 0 is without limit.
    # rateLimits:
    #   requestsPerAddressAndMinute: 1200
    #   signUpsPerAddressAndHour: 100
    #   messagesPerAddressAndHour: 60
    #   attemptsPerAccountAndAddressAndHour: 30   # wrong passwords from one address
    #   attemptsPerAccountAndHour: 600            # wrong passwords from all addresses together

    # Proxies whose X-Forwarded-For and X-Request-Id are believed.
    # trustedProxies: [10.0.0.0/8]

    # What one request, one address and all together may take. A proxy in trustedProxies is no address.
    # limits:
    #   bodyBytes: 10485760             # the longest body of an admin, such as an import
    #   clientBodyBytes: 262144         # the longest body of a client
    #   bodyBytesInFlight: 67108864     # all bodies together; further requests get 503 for a moment
    #   requestSeconds: 30
    #   idleSeconds: 60
    #   connections: 10000              # further ones wait
    #   connectionsPerAddress: 256      # further ones are closed; 0 is without limit

    # Who may read /metrics: open, token (an admin token with the scope server), or off. Without a word open if
    # listen.host and publicURL are this machine's own, and off otherwise.
    # metrics: token

    # How ID tokens and session cookies are signed: RS256, as Firebase's SDKs want it, or ES256.
    # signing: RS256

    # Where spans go: off, or log.
    # tracing: off

    logging:
      level: info                     # trace, debug, info, notice, warning, error or critical
      format: text                    # text or json
      # showsEmails: false

    # The origins whose scripts may call; empty for all.
    # cors: { origins: [] }

    """
}
