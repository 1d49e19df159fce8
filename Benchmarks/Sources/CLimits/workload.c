#include "common.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static uint64_t mix(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

static void letters(char *text, int length, uint64_t *state) {
  static const char set[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  for (int i = 0; i < length; i++) text[i] = set[mix(state) % 62];
  text[length] = 0;
}

static void digits(char *text, int length, uint64_t *state) {
  for (int i = 0; i < length; i++) text[i] = '1' + mix(state) % 9;
  text[length] = 0;
}

LimitsAccount limits_account(uint32_t number) {
  LimitsAccount account;
  uint64_t state = (uint64_t)number * 0x2545f4914f6cdd1dULL + 1;
  letters(account.uid, 28, &state);
  digits(account.google, 21, &state);
  digits(account.facebook, 16, &state);
  digits(account.github, 21, &state);
  letters(account.secret, 88, &state);
  snprintf(account.email, sizeof account.email, "person%u.%.6s@example.com", number, account.google);
  snprintf(account.name, sizeof account.name, "Person Number %u", number);
  snprintf(account.photo, sizeof account.photo, "https://photos.example/%.16s?size=96", account.facebook);
  return account;
}

static _Thread_local char message[512];

const char *limits_error(void) { return message; }

int limits_fail(const char *what, const char *reason) {
  snprintf(message, sizeof message, "%s: %s", what, reason ? reason : "out of memory");
  return -1;
}

double limits_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

void limits_keep(LimitsCopy *copy, const void *bytes, size_t length) {
  if (copy->used + length > sizeof copy->bytes) copy->used = 0;
  if (bytes) memcpy(copy->bytes + copy->used, bytes, length);
  copy->used += length;
}

void limits_event_id(char id[17]) {
  static _Thread_local uint64_t state = 0;
  if (state == 0) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    state = (uint64_t)time.tv_sec * 1000000007ULL + time.tv_nsec + (uint64_t)(uintptr_t)&state;
  }
  static const char set[] = "0123456789abcdefghjkmnpqrstvwxyz";
  for (int i = 0; i < 16; i++) id[i] = set[mix(&state) % 32];
  id[16] = 0;
}

const char *limits_filler(int length) {
  static _Thread_local char text[1 << 16];
  static _Thread_local int made = -1;
  if (length < 2) length = 2;
  if (length > (int)sizeof text - 1) length = sizeof text - 1;
  if (made != length) {
    memset(text, 'x', length);
    text[0] = '"';
    text[length - 1] = '"';
    text[length] = 0;
    made = length;
  }
  return text;
}
