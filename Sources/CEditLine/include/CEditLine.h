// The functions of libedit that the console needs, in a form that Swift can call.
//
// libedit is configured through variadic calls, and a signal handler may only call async-signal-safe functions; both
// stay on this side of the border.

#ifndef CEDITLINE_H
#define CEDITLINE_H

#include <stdbool.h>
#include <stddef.h>

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
  CEDITLINE_CHANGED = 1,  // the line is redrawn
  CEDITLINE_LISTED = 2,   // the line is drawn again below a list
} ceditline_reaction;

// Called on Tab. `line` is UTF-8, `cursor` a byte offset into it.
typedef ceditline_reaction (*ceditline_completion)(
    void *context, ceditline_editor *editor, const char *line, int cursor);

// NULL if standard input is no terminal or libedit cannot use it.
ceditline_editor *ceditline_open(int history_limit);
void ceditline_close(ceditline_editor *editor);

void ceditline_set_completion(
    ceditline_editor *editor, ceditline_completion completion, void *context);

// Adds an entry to the history of the arrow keys. It may contain newlines.
void ceditline_remember(ceditline_editor *editor, const char *entry);

// Waits for a line. `*line` has no final newline and is valid until the next call. Pasted text is inserted unchanged,
// including tabs and newlines, and is a line if it ends with a newline.
ceditline_event ceditline_read(
    ceditline_editor *editor, const char *prompt, const char **line);

// Returns the first byte that is not UTF-8, after CEDITLINE_MALFORMED.
unsigned char ceditline_malformed_byte(const ceditline_editor *editor);

// For completion functions: replaces `deleted` code points before the cursor with `text`.
void ceditline_replace(ceditline_editor *editor, int deleted, const char *text);

// For completion functions: prints `text` below the line and redraws the line below that.
void ceditline_list(ceditline_editor *editor, const char *text);

#pragma mark Paging

// Shows a text with a command of the shell and waits for its end; the command gets the keys and Ctrl-C. Returns false if
// there is no such command.
bool ceditline_page(const char *command, const char *text, size_t length);

#pragma mark Interrupts

typedef void (*ceditline_interrupt_handler)(void *context);
typedef struct ceditline_route ceditline_route;

// Routes SIGINT to `handler`, which runs inside the signal handler and may only call async-signal-safe functions. The
// innermost route gets the signal. NULL if memory is short.
ceditline_route *ceditline_route_begin(ceditline_interrupt_handler handler, void *context);

// Ends a route. On return its handler is not running and will not be called again. After the last route, SIGINT has its
// previous effect.
void ceditline_route_end(ceditline_route *route);

// A flag that a handler raises and any thread may read.
typedef struct ceditline_flag ceditline_flag;
ceditline_flag *ceditline_flag_create(void);
void ceditline_flag_destroy(ceditline_flag *flag);
void ceditline_flag_raise(void *flag);  // a ceditline_interrupt_handler
void ceditline_flag_lower(ceditline_flag *flag);
bool ceditline_flag_is_raised(const ceditline_flag *flag);

#endif
