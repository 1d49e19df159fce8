#include "Paste.h"

#include <stdint.h>
#include <stdlib.h>

void paste_add(paste *paste, unsigned char byte) {
  if (paste->count == paste->room) {
    size_t room = paste->room == 0 ? 256 : 2 * paste->room;
    unsigned char *bytes = realloc(paste->bytes, room);
    if (bytes == NULL) return;
    paste->bytes = bytes;
    paste->room = room;
  }
  paste->bytes[paste->count++] = byte;
}

void paste_clear(paste *paste) { paste->count = 0; }

void paste_free(paste *paste) {
  free(paste->bytes);
  *paste = (struct paste){0};
}

static bool is_line_end(unsigned char byte) { return byte == '\n' || byte == '\r'; }

// Some terminals send CR for LF, and so two for CRLF. If every line end is doubled, including the last one, the text
// had CRLF; a text of paragraphs ends with a single line end.
static bool has_doubled_line_ends(const paste *paste) {
  size_t ends = 0;
  for (size_t at = 0; at < paste->count;) {
    unsigned char first = paste->bytes[at];
    size_t length = 0;
    while (at < paste->count && is_line_end(paste->bytes[at])) {
      if (paste->bytes[at++] != first) return false;
      length++;
    }
    if (length % 2 != 0) return false;
    if (length > 0) ends++;
    else at++;
  }
  return ends > 1 && is_line_end(paste->bytes[paste->count - 1]);
}

// Returns the length of a character; 0 if there is none.
static size_t character_length(const unsigned char *at, size_t left) {
  if (at[0] < 0x80) return 1;
  size_t length = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
  if (at[0] < 0xC2 || at[0] > 0xF4 || left < length) return 0;
  uint32_t scalar = at[0] & (0x7F >> length);
  for (size_t i = 1; i < length; i++) {
    if ((at[i] & 0xC0) != 0x80) return 0;
    scalar = scalar << 6 | (at[i] & 0x3F);
  }
  bool is_overlong = (length == 3 && scalar < 0x800) || (length == 4 && scalar < 0x10000);
  bool is_surrogate = scalar >= 0xD800 && scalar <= 0xDFFF;
  return is_overlong || is_surrogate || scalar > 0x10FFFF ? 0 : length;
}

// Tells whether a character is a C0 or C1 control, which steer terminals.
static bool is_control(const unsigned char *at, size_t length) {
  if (length == 1) return (at[0] < 0x20 && at[0] != '\t') || at[0] == 0x7F;
  return length == 2 && at[0] == 0xC2 && at[1] < 0xA0;
}

bool paste_clean(paste *paste, unsigned char *malformed) {
  struct paste text = {0};
  bool is_doubled = paste->count > 0 && has_doubled_line_ends(paste);
  bool is_sound = true;
  for (size_t at = 0; at < paste->count;) {
    const unsigned char *here = paste->bytes + at;
    size_t left = paste->count - at;
    if (is_line_end(here[0])) {
      paste_add(&text, '\n');
      bool is_pair = left > 1 && is_line_end(here[1]) && (is_doubled || here[1] != here[0]);
      at += is_pair ? 2 : 1;
      continue;
    }
    size_t length = character_length(here, left);
    if (length == 0) {
      if (is_sound) *malformed = here[0];
      is_sound = false;
      for (const char *replacement = "\xEF\xBF\xBD"; *replacement != 0; replacement++) {
        paste_add(&text, (unsigned char)*replacement);
      }
      at += 1;
      continue;
    }
    if (!is_control(here, length)) {
      for (size_t i = 0; i < length; i++) paste_add(&text, here[i]);
    }
    at += length;
  }
  paste_free(paste);
  *paste = text;
  return is_sound;
}
