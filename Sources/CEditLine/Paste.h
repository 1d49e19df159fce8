// Pasted bytes, and their conversion to a text that a line may hold.

#ifndef PASTE_H
#define PASTE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct paste {
  unsigned char *bytes;
  size_t count;
  size_t room;
} paste;

// Adds a byte. If memory is short, the paste stays unchanged.
void paste_add(paste *paste, unsigned char byte);
void paste_clear(paste *paste);
void paste_free(paste *paste);

// Converts the paste to UTF-8 text: line ends become newlines, control characters other than tabs are removed, and
// U+FFFD replaces invalid bytes, of which the first is stored in `malformed`. Returns true if all bytes were valid.
bool paste_clean(paste *paste, unsigned char *malformed);

#endif
