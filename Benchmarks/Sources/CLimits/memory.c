#include "common.h"
#include <stdlib.h>
#include <string.h>

struct LimitsMemory {
  LimitsAccount *accounts;
  uint32_t *slots;
  uint64_t mask;
};

static uint64_t hash(const char *text) {
  uint64_t h = 0xcbf29ce484222325ULL;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 0x100000001b3ULL;
  return h ^ (h >> 29);
}

LimitsMemory *limits_memory_make(uint32_t count) {
  LimitsMemory *memory = calloc(1, sizeof *memory);
  uint64_t size = 1;
  while (size < 2ULL * count) size *= 2;
  memory->mask = size - 1;
  memory->accounts = malloc(sizeof(LimitsAccount) * (size_t)count);
  memory->slots = calloc(size, sizeof(uint32_t));
  for (uint32_t number = 0; number < count; number++) {
    memory->accounts[number] = limits_account(number);
    uint64_t slot = hash(memory->accounts[number].google) & memory->mask;
    while (memory->slots[slot]) slot = (slot + 1) & memory->mask;
    memory->slots[slot] = number + 1;
  }
  return memory;
}

void limits_memory_free(LimitsMemory *memory) {
  free(memory->accounts);
  free(memory->slots);
  free(memory);
}

int limits_memory_run(
  LimitsMemory *memory, const uint32_t *numbers, int count, double *microseconds
) {
  static _Thread_local LimitsCopy copy;
  for (int i = 0; i < count; i++) {
    LimitsAccount wanted = limits_account(numbers[i]);
    double start = limits_now();
    uint64_t slot = hash(wanted.google) & memory->mask;
    while (memory->slots[slot]
           && strcmp(memory->accounts[memory->slots[slot] - 1].google, wanted.google) != 0)
      slot = (slot + 1) & memory->mask;
    if (!memory->slots[slot]) return limits_fail("memory", "an account is not there");
    limits_keep(&copy, &memory->accounts[memory->slots[slot] - 1], sizeof(LimitsAccount));
    microseconds[i] = limits_now() - start;
  }
  return 0;
}
