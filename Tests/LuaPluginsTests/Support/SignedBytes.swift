/// Keys and signatures that OpenSSL made of the text "the signed bytes", in base64.
enum SignedBytes {
  static let text = "the signed bytes"

  /// An RSA key of 2048 bits, as PEM.
  static let rsaKey =
    "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUlJQklqQU5CZ2txaGtpRzl3MEJBUUVGQUFPQ0FROEFNSUlCQ2dLQ0FR"
    + "RUF1M1RHY3NCVFgwbmI3V09yOFUzLwpzQ0lwcFdIOGtmYWNzNG1DMmIzcUI2VUFPTlF3VWczelpsUzFsUXpFeTdXZUM1"
    + "ZXNrS3pDNjd5anMzMnVXemY0CnRxNnBrK2plZi9zUDRRYlh1SEpRbnhTOHY3S3gyVzJRZnB2U2tCT09pSTRLOEJiWlNt"
    + "QnREem02cDRyWGJDcEQKbnJocyszK2hhTW1BUXAvQlh1U0RlWi82WWpZVzF2UG9TUWcwOWxjL2d1dlY1czBZTTFGc0Rn"
    + "YW1xY1piaTRoegowdDJpTkg3RzlaaXFEVmRBNFk0b3J0NElUeVV3enk0RmkrMkVsa0pXQWdFZzduUlM3Y2U2VWJYdFgy"
    + "Z2krTXNsCnExOTlaSFlFSDlMQ0FDbS9xNncrUXVTU3lTZVJ1TlVoN2JFU1JVR2VlbHpXRjRLRFdPNjVoTVBjVFdyQ2tB"
    + "ZTYKT1FJREFRQUIKLS0tLS1FTkQgUFVCTElDIEtFWS0tLS0tCg=="
  /// Its signature with SHA-256 and PKCS #1.
  static let rsaPKCS1 =
    "dcWilrtnkoJYwiHzcSgM94E6f6z0YPVPnWMFKkDZPJJFxLV8ihv37uJ3u4pfVm86W+/j9WIsbD6HFz/It0Okh+56U7CW"
    + "28ooU2NAuU2e1dO0vWGuATjuLm3NijVClsX9H1UwnCVkCDugaZJwjqZeeuJ4qRj69ck39XtQVlEd9OhEpBjLMGnbSgi2"
    + "NDMiib4bCReDYEZXkc02U/Knj5Bn0xZLXndkOU6xvCM2mf6FEVA71q5PZofot31Lo6dbLkbzy4n8H8KW7ZUmBBxyXgtP"
    + "gYBwUWUjXGsgSUePQOplapsLaCGxILuZj0px3dV0atWx87Q3e5oEbiA1iNY/Z9rVhg=="
  /// Its signature with SHA-512 and PSS.
  static let rsaPSS =
    "TZY0mt1HW8IaAHe6CFeSHgJIl9Bxdb+tTJN50R4cUVm93Se/ECfT14GgIIcfVStL/E0ObgtWGQA2OpGUOa9zzzV4IOhF"
    + "cOgQ8mWOHTQ4jwjDIihbZc4zGyK7z7IhC64cuSEgT65MIVmA4kTxi2vZFz1mUrZqYWDupmDM2DwEsuaW11tAd6+WKVjM"
    + "Xi2k2isTyJR1mXFRaVhkzdMxwNSfKLmuUDLdowWu9Kak+/dXTZA8WlcrMxpjFTyrHY0Oe32kkGIXGry33BJbzMpqabpN"
    + "fuBxr6k84tAlKIr6xkQeelVAiGG9dEoVQ2rJdXuyUId+1wEztOJOEU3BdGRDs+jiHQ=="
  /// A certificate of the key in DER, valid from the end of 2026 to 2051.
  static let certificate =
    "MIIDFTCCAf2gAwIBAgIUTDAwAfPZohrm9pIhN2IETGLL21YwDQYJKoZIhvcNAQELBQAwGTEXMBUGA1UEAwwOdmVuZG9y"
    + "LmV4YW1wbGUwIBcNMjYxMTI3MDMxMjEzWhgPMjA1MTA3MTkwMzEyMTNaMBkxFzAVBgNVBAMMDnZlbmRvci5leGFtcGxl"
    + "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu3TGcsBTX0nb7WOr8U3/sCIppWH8kfacs4mC2b3qB6UAONQw"
    + "Ug3zZlS1lQzEy7WeC5eskKzC67yjs32uWzf4tq6pk+jef/sP4QbXuHJQnxS8v7Kx2W2QfpvSkBOOiI4K8BbZSmBtDzm6"
    + "p4rXbCpDnrhs+3+haMmAQp/BXuSDeZ/6YjYW1vPoSQg09lc/guvV5s0YM1FsDgamqcZbi4hz0t2iNH7G9ZiqDVdA4Y4o"
    + "rt4ITyUwzy4Fi+2ElkJWAgEg7nRS7ce6UbXtX2gi+Mslq199ZHYEH9LCACm/q6w+QuSSySeRuNUh7bESRUGeelzWF4KD"
    + "WO65hMPcTWrCkAe6OQIDAQABo1MwUTAdBgNVHQ4EFgQU3aTSJ6ziSXpYw9m51Uk9KjPDpLQwHwYDVR0jBBgwFoAU3aTS"
    + "J6ziSXpYw9m51Uk9KjPDpLQwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAGKnaP8OBOHNdvZOW+ZJD"
    + "ykTHNlTZDzLlRkQ2epKQPYffGFGfPWe8sY2Nua++MPYyyvyoot51CJ8EKBZNFaFjXkPlFXlVnaofeSAqR4HTsWsNeW1e"
    + "Rhb/+K73pXcOaAQaoeYXPb5e+dC6Xjb2VTFiu6KFCgn4wRbgggUUl/nWdHktiZnf5cgdpcshpcFSrervGdcvZ3d9jHPS"
    + "rjTNcVZ5FcvFV7uvum6QHvf64TnSfLE5hyvDIIqVNeUR1NmPvdmP72pCOdGvZIZT2cTzxrErIDW27mxa6b5gODzvqtUh"
    + "cKVHfHWilYLZQeMoD1UFTc3mi8TnVg46xtG40o9CyFRENw=="
  /// An RSA key of 1024 bits, as PEM.
  static let weakKey =
    "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUlHZk1BMEdDU3FHU0liM0RRRUJBUVVBQTRHTkFEQ0JpUUtCZ1FDcTJj"
    + "QWRBZmI2QTV3WCtHd2FVSS9xWnVtSwphYjJ4WkMvTmlWRFpaRVA4V2p1cXJiN3RBVm45aVlmeXhiRGhkOGhxWWhaUWhK"
    + "QllXSHZUblFyUGs4eUI2MjdqClBQZzBYdDliSXB6SjI2Uy9SaGplKzhnbTg3OXRuK25Uek9zRFR5SXlmbkxlSERsS2gz"
    + "QU5BOVZzMDNSS0d1TCsKdUszYkVwRlhrT0I4Z1ZsSGV3SURBUUFCCi0tLS0tRU5EIFBVQkxJQyBLRVktLS0tLQo="
  /// Its signature with SHA-256 and PKCS #1.
  static let weakPKCS1 =
    "TiUaLzvzqQXQrAmyRFs6mkd99wmZyV/WHyyK5x5deg/FY3gCNrNr2T7lt2+ht0IBScOCoY15BS7lJzhttvpbJpNhCVCB"
    + "bdfAvb3zaiUbehXKWAK7BvVwZIRQAi/bn8LpXEQn5vmsi70kxE9f40bpLaihtE+v8LLbr2JKVseQj1U="
  /// A key on the curve P-256, as PEM.
  static let p256Key =
    "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFd3pYbWkx"
    + "b3U0c0lybjJOMU90SU5RME9vaUd5RgpSMThjTHJjRlJjS0srbGVoVTNTMlIvY05CTGNBUlZiQjE5OE9FcW5CRVRiUi9J"
    + "cHcvR1ZHU2U3TzhBPT0KLS0tLS1FTkQgUFVCTElDIEtFWS0tLS0tCg=="
  /// Its signature in DER.
  static let p256DER =
    "MEQCID4mC8YzD9CpYSk7D5HlRdH4HXeyBVmmFfpfapbZ4uikAiBnj6aQoLKZj/rR+UjjUkrfflFiuCpb4urPKvOXmsy9"
    + "xg=="
  /// An Ed25519 key, as PEM.
  static let edKey =
    "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUNvd0JRWURLMlZ3QXlFQUpBOUxsN0NMUGZhWGNzc08rL0hFazhYSFpZ"
    + "WjlZVmlXSDI5aXQ3ZWVscGM9Ci0tLS0tRU5EIFBVQkxJQyBLRVktLS0tLQo="
  /// The same key, as its 32 bytes.
  static let edBytes = "JA9Ll7CLPfaXcssO+/HEk8XHZYZ9YViWH29it7eelpc="
  /// Its signature.
  static let edSignature =
    "whmzUKP6Y0kka9cmzO2W1Cv2QMl8xp8xrT5O9MrSkRaHhkSgr3quG7FPvEHzKpMaqR85oy01MFAUxkVUNCBLCg=="
}
