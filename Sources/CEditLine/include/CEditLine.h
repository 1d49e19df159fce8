// What the console needs of libedit, in functions that Swift can call.
//
// libedit configures itself through variadic calls, and a signal handler may only do what is safe
// at any instant; both stay on this side of the border.

#ifndef CEDITLINE_H
#define CEDITLINE_H

#include <stdbool.h>

#pragma mark Reading lines

typedef struct ceditline_editor ceditline_editor;

typedef enum {
  CEDITLINE_LINE = 0,
  CEDITLINE_INTERRUPTED = 1,
  CEDITLINE_END_OF_INPUT = 2,
  CEDITLINE_MALFORMED = 3,  // the line has a byte that is not UTF-8
} ceditline_event;

typedef enum {
  CEDITLINE_NOTHING = 0,  // rings the bell
  CEDITLINE_CHANGED = 1,  // the line is drawn again
  CEDITLINE_LISTED = 2,   // the line has already been drawn below a list
} ceditline_reaction;

// Called on Tab. `line` is UTF-8, `cursor` a byte offset into it.
typedef ceditline_reaction (*ceditline_completion)(
    void *context, ceditline_editor *editor, const char *line, int cursor);

// NULL when standard input is no terminal or libedit cannot use it.
ceditline_editor *ceditline_open(int history_limit);
void ceditline_close(ceditline_editor *editor);

void ceditline_set_completion(
    ceditline_editor *editor, ceditline_completion completion, void *context);

// Adds an entry that the arrow keys bring back. It may contain newlines.
void ceditline_remember(ceditline_editor *editor, const char *entry);

// Waits for a line. `*line` is without its final newline and valid until the next call. What is
// pasted is inserted as it is, tabs and newlines too, and is a line when it ends with a newline.
ceditline_event ceditline_read(
    ceditline_editor *editor, const char *prompt, const char **line);

// The first byte that is not UTF-8, after CEDITLINE_MALFORMED.
unsigned char ceditline_malformed_byte(const ceditline_editor *editor);

// For completion functions: replaces `deleted` code points before the cursor by `text`.
void ceditline_replace(ceditline_editor *editor, int deleted, const char *text);

// For completion functions: prints `text` below the line and draws the line again below that.
void ceditline_list(ceditline_editor *editor, const char *text);

#pragma mark Interrupts

typedef void (*ceditline_interrupt_handler)(void *context);
typedef struct ceditline_route ceditline_route;

// Sends SIGINT to `handler`, which runs inside the signal handler and may do only what is
// async-signal-safe. The innermost route wins. NULL when memory is short.
ceditline_route *ceditline_route_begin(ceditline_interrupt_handler handler, void *context);

// Ends a route. On return its handler is not running and will not be called again. After the last
// route SIGINT does what it did before the first.
void ceditline_route_end(ceditline_route *route);

// A flag that a handler raises and anyone may read.
typedef struct ceditline_flag ceditline_flag;
ceditline_flag *ceditline_flag_create(void);
void ceditline_flag_destroy(ceditline_flag *flag);
void ceditline_flag_raise(void *flag);  // a ceditline_interrupt_handler
void ceditline_flag_lower(ceditline_flag *flag);
bool ceditline_flag_is_raised(const ceditline_flag *flag);

#endif
