#ifndef CLIMITS_COMMON_H
#define CLIMITS_COMMON_H

#include "CLimits.h"

int limits_fail(const char *what, const char *reason);
double limits_now(void);
/// A buffer for everything that was read, so that no read is optimised away.
typedef struct {
  size_t used;
  char bytes[1 << 22];
} LimitsCopy;
void limits_keep(LimitsCopy *copy, const void *bytes, size_t length);
/// The time of all rows, in milliseconds since 1970.
#define LIMITS_TIME 1700000000000LL
/// Makes a unique event ID.
void limits_event_id(char id[17]);
/// Returns a text of `length` bytes that is JSON.
const char *limits_filler(int length);

// SQL that both engines have in common.
#define HERE "project = '" LIMITS_PROJECT "' AND tenant = ''"
#define ACCOUNT_COLUMNS \
  "a.uid, a.email, a.email_verified, a.phone, a.revision, a.display_name, a.photo_url, a.disabled, " \
  "a.is_anonymous, a.custom_claims, a.created_at, a.last_sign_in_at, a.valid_since, a.last_refresh_at, " \
  "a.details"

#endif
