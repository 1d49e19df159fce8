#include "common.h"
#include <argon2.h>
#include <crypt.h>
#include <string.h>

int limits_argon2id(uint32_t iterations, uint32_t kibibytes, uint32_t parallelism, const char *password,
                    const uint8_t *salt, size_t length) {
  uint8_t hash[32];
  int code = argon2id_hash_raw(iterations, kibibytes, parallelism, password, strlen(password), salt, length, hash,
                               sizeof hash);
  return code == ARGON2_OK ? 0 : limits_fail("Argon2id", argon2_error_message(code));
}

int limits_crypt(const char *password, const char *stored) {
  struct crypt_data work;
  memset(&work, 0, sizeof work);
  return crypt_r(password, stored, &work) ? 0 : limits_fail("crypt", "refused");
}
