#include "CConformance.h"

// The files of Sources/Conformance/Cases, in the order in which they are run. A test names a file that is missing here.

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char action_codes[] = {
#embed "../Conformance/Cases/action-codes.json"
};
static const unsigned char admin_accounts[] = {
#embed "../Conformance/Cases/admin-accounts.json"
};
static const unsigned char admin_api[] = {
#embed "../Conformance/Cases/admin-api.json"
};
static const unsigned char admin_console[] = {
#embed "../Conformance/Cases/admin-console.json"
};
static const unsigned char admin_policies[] = {
#embed "../Conformance/Cases/admin-policies.json"
};
static const unsigned char batch_create[] = {
#embed "../Conformance/Cases/batch-create.json"
};
static const unsigned char batch_delete[] = {
#embed "../Conformance/Cases/batch-delete.json"
};
static const unsigned char batch_get[] = {
#embed "../Conformance/Cases/batch-get.json"
};
static const unsigned char callers[] = {
#embed "../Conformance/Cases/callers.json"
};
static const unsigned char client_requests[] = {
#embed "../Conformance/Cases/client-requests.json"
};
static const unsigned char closed_operations[] = {
#embed "../Conformance/Cases/closed-operations.json"
};
static const unsigned char configuration[] = {
#embed "../Conformance/Cases/configuration.json"
};
static const unsigned char create_auth_uri[] = {
#embed "../Conformance/Cases/create-auth-uri.json"
};
static const unsigned char custom_token[] = {
#embed "../Conformance/Cases/custom-token.json"
};
static const unsigned char delete[] = {
#embed "../Conformance/Cases/delete.json"
};
static const unsigned char email_link[] = {
#embed "../Conformance/Cases/email-link.json"
};
static const unsigned char emulator_action[] = {
#embed "../Conformance/Cases/emulator-action.json"
};
static const unsigned char emulator_endpoints[] = {
#embed "../Conformance/Cases/emulator-endpoints.json"
};
static const unsigned char emulator_factors[] = {
#embed "../Conformance/Cases/emulator-factors.json"
};
static const unsigned char encoding[] = {
#embed "../Conformance/Cases/encoding.json"
};
static const unsigned char id_tokens[] = {
#embed "../Conformance/Cases/id-tokens.json"
};
static const unsigned char identity_providers[] = {
#embed "../Conformance/Cases/identity-providers.json"
};
static const unsigned char import_hashes[] = {
#embed "../Conformance/Cases/import-hashes.json"
};
static const unsigned char linked_passwords[] = {
#embed "../Conformance/Cases/linked-passwords.json"
};
static const unsigned char linking[] = {
#embed "../Conformance/Cases/linking.json"
};
static const unsigned char lookup[] = {
#embed "../Conformance/Cases/lookup.json"
};
static const unsigned char missing_parts[] = {
#embed "../Conformance/Cases/missing-parts.json"
};
static const unsigned char older_paths[] = {
#embed "../Conformance/Cases/older-paths.json"
};
static const unsigned char own_account[] = {
#embed "../Conformance/Cases/own-account.json"
};
static const unsigned char passkeys[] = {
#embed "../Conformance/Cases/passkeys.json"
};
static const unsigned char password_policy[] = {
#embed "../Conformance/Cases/password-policy.json"
};
static const unsigned char phone[] = {
#embed "../Conformance/Cases/phone.json"
};
static const unsigned char project[] = {
#embed "../Conformance/Cases/project.json"
};
static const unsigned char published_keys[] = {
#embed "../Conformance/Cases/published-keys.json"
};
static const unsigned char query_accounts[] = {
#embed "../Conformance/Cases/query-accounts.json"
};
static const unsigned char second_factors[] = {
#embed "../Conformance/Cases/second-factors.json"
};
static const unsigned char send_oob_code[] = {
#embed "../Conformance/Cases/send-oob-code.json"
};
static const unsigned char server_pages[] = {
#embed "../Conformance/Cases/server-pages.json"
};
static const unsigned char session_cookie[] = {
#embed "../Conformance/Cases/session-cookie.json"
};
static const unsigned char sign_in_password[] = {
#embed "../Conformance/Cases/sign-in-password.json"
};
static const unsigned char sign_in_with_idp[] = {
#embed "../Conformance/Cases/sign-in-with-idp.json"
};
static const unsigned char sign_up[] = {
#embed "../Conformance/Cases/sign-up.json"
};
static const unsigned char sign_up_admin[] = {
#embed "../Conformance/Cases/sign-up-admin.json"
};
static const unsigned char tenant_providers[] = {
#embed "../Conformance/Cases/tenant-providers.json"
};
static const unsigned char tenants[] = {
#embed "../Conformance/Cases/tenants.json"
};
static const unsigned char token[] = {
#embed "../Conformance/Cases/token.json"
};
static const unsigned char totp[] = {
#embed "../Conformance/Cases/totp.json"
};
static const unsigned char transport[] = {
#embed "../Conformance/Cases/transport.json"
};
static const unsigned char update[] = {
#embed "../Conformance/Cases/update.json"
};
static const unsigned char update_admin[] = {
#embed "../Conformance/Cases/update-admin.json"
};
static const unsigned char vendors_and_games[] = {
#embed "../Conformance/Cases/vendors-and-games.json"
};

#define FILE_OF(name, bytes) {name, bytes, sizeof bytes}

static const struct conformance_file files[] = {
  FILE_OF("action-codes.json", action_codes),
  FILE_OF("admin-accounts.json", admin_accounts),
  FILE_OF("admin-api.json", admin_api),
  FILE_OF("admin-console.json", admin_console),
  FILE_OF("admin-policies.json", admin_policies),
  FILE_OF("batch-create.json", batch_create),
  FILE_OF("batch-delete.json", batch_delete),
  FILE_OF("batch-get.json", batch_get),
  FILE_OF("callers.json", callers),
  FILE_OF("client-requests.json", client_requests),
  FILE_OF("closed-operations.json", closed_operations),
  FILE_OF("configuration.json", configuration),
  FILE_OF("create-auth-uri.json", create_auth_uri),
  FILE_OF("custom-token.json", custom_token),
  FILE_OF("delete.json", delete),
  FILE_OF("email-link.json", email_link),
  FILE_OF("emulator-action.json", emulator_action),
  FILE_OF("emulator-endpoints.json", emulator_endpoints),
  FILE_OF("emulator-factors.json", emulator_factors),
  FILE_OF("encoding.json", encoding),
  FILE_OF("id-tokens.json", id_tokens),
  FILE_OF("identity-providers.json", identity_providers),
  FILE_OF("import-hashes.json", import_hashes),
  FILE_OF("linked-passwords.json", linked_passwords),
  FILE_OF("linking.json", linking),
  FILE_OF("lookup.json", lookup),
  FILE_OF("missing-parts.json", missing_parts),
  FILE_OF("older-paths.json", older_paths),
  FILE_OF("own-account.json", own_account),
  FILE_OF("passkeys.json", passkeys),
  FILE_OF("password-policy.json", password_policy),
  FILE_OF("phone.json", phone),
  FILE_OF("project.json", project),
  FILE_OF("published-keys.json", published_keys),
  FILE_OF("query-accounts.json", query_accounts),
  FILE_OF("second-factors.json", second_factors),
  FILE_OF("send-oob-code.json", send_oob_code),
  FILE_OF("server-pages.json", server_pages),
  FILE_OF("session-cookie.json", session_cookie),
  FILE_OF("sign-in-password.json", sign_in_password),
  FILE_OF("sign-in-with-idp.json", sign_in_with_idp),
  FILE_OF("sign-up.json", sign_up),
  FILE_OF("sign-up-admin.json", sign_up_admin),
  FILE_OF("tenant-providers.json", tenant_providers),
  FILE_OF("tenants.json", tenants),
  FILE_OF("token.json", token),
  FILE_OF("totp.json", totp),
  FILE_OF("transport.json", transport),
  FILE_OF("update.json", update),
  FILE_OF("update-admin.json", update_admin),
  FILE_OF("vendors-and-games.json", vendors_and_games),
};

const struct conformance_file *conformance_file(size_t index) {
  return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
