#ifndef AUTHGRAPH_CONFORMANCE_H
#define AUTHGRAPH_CONFORMANCE_H

#include <stddef.h>

/// A file of conformance cases, as it is in the program.
struct conformance_file {
  const char *name;
  const unsigned char *bytes;
  size_t count;
};

/// Returns the file at a place of the list; NULL after the last.
const struct conformance_file *conformance_file(size_t index);

#endif
