// What is pasted: bytes of any kind, until they are a text that the line may hold.

#ifndef PASTE_H
#define PASTE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct paste {
  unsigned char *bytes;
  size_t count;
  size_t room;
} paste;

// Adds a byte. Without memory for it the paste stays as it is.
void paste_add(paste *paste, unsigned char byte);
void paste_clear(paste *paste);
void paste_free(paste *paste);

// Makes the paste a text of UTF-8: line ends become newlines, control characters other than tabs are
// left out, and U+FFFD stands for what is no character, of which the first byte is noted. Returns
// whether every byte was one of a character.
bool paste_clean(paste *paste, unsigned char *malformed);

#endif
