// Reads lines at a terminal with libedit.

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "CEditLine.h"
#include "Paste.h"
#include "PromptSignals.h"
#include "TerminalRescue.h"

struct ceditline_editor {
  EditLine *edit;
  History *history;
  FILE *output;
  const char *prompt;
  char *line;
  ceditline_completion completion;
  void *completion_context;
  int wake[2];  // a signal handler writes a byte here to end the wait for a key
  atomic_bool was_interrupted;
  bool dropped;       // set if the line is given up, which ends the reading
  bool is_leaving;    // set once the screen's cursor stands behind a line that is given up
  char *list;         // text to print below the line, once the screen's cursor stands behind it
  int list_moved;     // the distance that the cursor moves back afterwards
  bool is_listing;    // set once the key that prints the list was given
  paste paste;       // text to insert in one piece
  paste ahead;       // bytes that were read too early, from `ahead_from` on
  size_t ahead_from;
  bool knows_brackets;  // set if the terminal is asked to mark pasted text
  bool is_malformed;
  unsigned char malformed_byte;
  cc_t interrupt_key, suspend_key, quit_key;
};

// Bracketed paste: the terminal puts marks around pasted text.
static const char brackets_on[] = "\x1b[?2004h";
static const char brackets_off[] = "\x1b[?2004l";

static void ask_for_brackets(ceditline_editor *editor, bool wanted) {
  if (!editor->knows_brackets) return;
  fputs(wanted ? brackets_on : brackets_off, editor->output);
  fflush(editor->output);
}

#pragma mark Signals at the prompt

static void note_interrupt(void *context) {
  ceditline_editor *editor = context;
  atomic_store(&editor->was_interrupted, true);
  prompt_signals_wake();
}

static void deliver_deferred(ceditline_editor *editor) {
  for (int number = 0; (number = prompt_signals_take_deferred()) != 0;) {
    el_set(editor->edit, EL_PREP_TERM, 0);
    ask_for_brackets(editor, false);
    prompt_signals_deliver(number);
  }
}

static void redraw(ceditline_editor *editor) {
  el_set(editor->edit, EL_PREP_TERM, 0);
  el_set(editor->edit, EL_PREP_TERM, 1);
  ask_for_brackets(editor, true);
  el_resize(editor->edit);
  el_set(editor->edit, EL_REFRESH);
}

#pragma mark Keys

static ceditline_editor *editor_of(EditLine *edit) {
  void *data = NULL;
  el_get(edit, EL_CLIENTDATA, &data);
  return data;
}

// Moves the cursor after the last character and returns the distance.
static int move_to_end(EditLine *edit) {
  const LineInfoW *info = el_wline(edit);
  int distance = (int)(info->lastchar - info->cursor);
  if (distance > 0) el_cursor(edit, distance);
  return distance;
}

static int drop(ceditline_editor *editor) {
  editor->dropped = true;
  return -1;
}

// Tells whether a byte is available, or arrives within `milliseconds`.
static bool has_input(ceditline_editor *editor, int milliseconds) {
  if (editor->ahead_from < editor->ahead.count) return true;
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&input, 1, milliseconds) > 0;
}

// Waits for a byte. Returns 1 if one was read, 0 at the end of input, -1 if the line was dropped.
static int take_byte(ceditline_editor *editor, unsigned char *byte) {
  for (;;) {
    if (atomic_exchange(&editor->was_interrupted, false)) return drop(editor);
    deliver_deferred(editor);
    if (prompt_signals_take_redraw()) redraw(editor);
    if (editor->ahead_from < editor->ahead.count) {
      *byte = editor->ahead.bytes[editor->ahead_from++];
      return 1;
    }
    editor->ahead_from = 0;
    paste_clear(&editor->ahead);

    struct pollfd watched[] = {
        {.fd = STDIN_FILENO, .events = POLLIN}, {.fd = editor->wake[0], .events = POLLIN}};
    if (poll(watched, 2, -1) < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return 0;
    }
    if (watched[1].revents != 0) {
      char drained[64];
      while (read(editor->wake[0], drained, sizeof drained) > 0) continue;
      continue;
    }
    if (watched[0].revents == 0) continue;
    ssize_t count = read(STDIN_FILENO, byte, 1);
    if (count == 1) return 1;
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    return 0;
  }
}

// Returns bytes to the front of the input.
static void untake(ceditline_editor *editor, const unsigned char *bytes, size_t count) {
  paste joined = {0};
  for (size_t i = 0; i < count; i++) paste_add(&joined, bytes[i]);
  for (size_t i = editor->ahead_from; i < editor->ahead.count; i++) {
    paste_add(&joined, editor->ahead.bytes[i]);
  }
  paste_free(&editor->ahead);
  editor->ahead = joined;
  editor->ahead_from = 0;
}

// Like take_byte, and handles the keys for signals. The terminal leaves them to us, because it would also act on those
// inside pasted text.
static int next_byte(ceditline_editor *editor, unsigned char *byte) {
  for (;;) {
    int status = take_byte(editor, byte);
    if (status != 1 || *byte == 0) return status;
    if (*byte == editor->interrupt_key) return drop(editor);
    if (*byte == editor->suspend_key) kill(0, SIGTSTP);
    else if (*byte == editor->quit_key) kill(0, SIGQUIT);
    else return status;
  }
}

// Keys that no keyboard uses for anything else. Only what a key does may redraw the line where it stands: EL_REFRESH
// would draw it a second time, from the screen's cursor on.
enum {
  PASTE_KEY = 0x1D,  // inserts a paste that was read
  STEP_KEY = 0x1E,   // goes on below the line: prints a list, or gives the line up
};

#pragma mark Pasting

static const char paste_begins[] = "\x1b[200~";
static const char paste_ends[] = "\x1b[201~";
enum { MARK_LENGTH = 6 };

// Reads the available bytes, up to a limit, without waiting.
static void look_ahead(ceditline_editor *editor) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  while (editor->ahead.count < 1 << 16 && poll(&input, 1, 0) > 0) {
    unsigned char bytes[4096];
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count <= 0) return;
    for (ssize_t i = 0; i < count; i++) paste_add(&editor->ahead, bytes[i]);
  }
}

// A text that contains the end mark would let its rest be typed. In that case a second end mark follows without another
// begin mark; the bytes before it belong to the paste.
static void take_behind_forged_ends(ceditline_editor *editor) {
  look_ahead(editor);
  size_t at = editor->ahead_from;
  while (at + MARK_LENGTH <= editor->ahead.count) {
    const unsigned char *here = editor->ahead.bytes + at;
    if (memcmp(here, paste_begins, MARK_LENGTH) == 0) return;
    if (memcmp(here, paste_ends, MARK_LENGTH) != 0) {
      at++;
      continue;
    }
    for (size_t i = editor->ahead_from; i < at; i++) {
      paste_add(&editor->paste, editor->ahead.bytes[i]);
    }
    at += MARK_LENGTH;
    editor->ahead_from = at;
  }
}

// Reads up to the end mark. Returns 1 if the paste is complete, 0 at the end of input, -1 if it was dropped.
static int read_paste(ceditline_editor *editor) {
  paste *paste = &editor->paste;
  paste_clear(paste);
  unsigned char byte = 0;
  int status = 0;
  while ((status = take_byte(editor, &byte)) == 1) {
    // Nothing follows a pressed key; inside a paste it is a character.
    bool is_key = byte != 0 && byte == editor->interrupt_key;
    if (is_key && !has_input(editor, 100)) return drop(editor);
    paste_add(paste, byte);
    if (paste->count < MARK_LENGTH) continue;
    const unsigned char *last = paste->bytes + paste->count - MARK_LENGTH;
    if (memcmp(last, paste_ends, MARK_LENGTH) != 0) continue;
    paste->count -= MARK_LENGTH;
    take_behind_forged_ends(editor);
    return 1;
  }
  return status;
}

// Tells whether the rest of the begin mark follows an escape; takes it if it does.
static bool begins_paste(ceditline_editor *editor) {
  unsigned char seen[MARK_LENGTH - 1];
  size_t count = 0;
  bool fits = true;
  while (fits && count < sizeof seen && has_input(editor, 50)) {
    if (take_byte(editor, &seen[count]) != 1) break;
    fits = seen[count] == (unsigned char)paste_begins[count + 1];
    count++;
  }
  if (fits && count == sizeof seen) return true;
  untake(editor, seen, count);
  return false;
}

static bool is_printable(unsigned char byte) {
  return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
}

// Takes many waiting letters as one piece: redrawing the line for each of them has quadratic cost.
static bool takes_burst(ceditline_editor *editor, unsigned char first) {
  enum { FEWEST = 64 };
  int waiting = 0;
  if (!is_printable(first) || ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0 || waiting < FEWEST) {
    return false;
  }
  paste *paste = &editor->paste;
  paste_clear(paste);
  paste_add(paste, first);
  while (has_input(editor, 0)) {
    unsigned char byte = 0;
    if (take_byte(editor, &byte) != 1) break;
    if (!is_printable(byte)) {
      untake(editor, &byte, 1);
      break;
    }
    paste_add(paste, byte);
  }
  // An incomplete character at the end is read by itself.
  size_t tail = 0;
  while (tail < 3 && tail < paste->count && (paste->bytes[paste->count - 1 - tail] & 0xC0) == 0x80) {
    tail++;
  }
  if (tail < paste->count) {
    unsigned char lead = paste->bytes[paste->count - 1 - tail];
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length > tail + 1) {
      paste->count -= tail + 1;
      untake(editor, paste->bytes + paste->count, tail + 1);
    }
  }
  if (paste->count > 0) return true;
  // There is only the beginning of a character, which is taken next.
  unsigned char again = 0;
  take_byte(editor, &again);
  return false;
}

static unsigned char insert_paste(EditLine *edit, int key) {
  (void)key;
  ceditline_editor *editor = editor_of(edit);
  paste *paste = &editor->paste;
  if (paste->count == 0) return CC_ERROR;
  unsigned char malformed = 0;
  if (!paste_clean(paste, &malformed) && !editor->is_malformed) {
    editor->is_malformed = true;
    editor->malformed_byte = malformed;
  }
  bool is_line = paste->count > 0 && paste->bytes[paste->count - 1] == '\n';
  if (is_line) paste->count--;
  paste_add(paste, 0);
  bool is_inserted = paste->count == 1 || el_insertstr(edit, (const char *)paste->bytes) == 0;
  paste_clear(paste);
  if (is_line) untake(editor, (const unsigned char *)"\n", 1);
  return is_inserted ? CC_REFRESH : CC_ERROR;
}

// For a begin mark that arrived too slowly for next_character.
static unsigned char begin_paste(EditLine *edit, int key) {
  if (read_paste(editor_of(edit)) == 1) return insert_paste(edit, key);
  return editor_of(edit)->dropped ? CC_NORM : CC_EOF;
}

static unsigned char ignore_key(EditLine *edit, int key) {
  (void)edit;
  (void)key;
  return CC_NORM;
}

// Skips the second half of CRLF, which is not a line of its own.
static void pass_over_partner(ceditline_editor *editor, unsigned char end) {
  unsigned char next = 0;
  if (!has_input(editor, 0) || take_byte(editor, &next) != 1) return;
  bool is_partner = (next == '\n' || next == '\r') && next != end;
  if (!is_partner) untake(editor, &next, 1);
}

// libedit's own reader gives up at the first malformed byte, but a stray one must not end the session.
static int read_character(ceditline_editor *editor, wchar_t *character) {
  mbstate_t state;
  memset(&state, 0, sizeof state);
  unsigned char first = 0;
  for (bool is_first = true;; is_first = false) {
    unsigned char byte = 0;
    int status = next_byte(editor, &byte);
    if (status != 1) return status;
    if (is_first && byte == 0x1B && begins_paste(editor)) {
      status = read_paste(editor);
      if (status != 1) return status;
      *character = PASTE_KEY;
      return 1;
    }
    if (is_first && takes_burst(editor, byte)) {
      *character = PASTE_KEY;
      return 1;
    }
    if (byte == '\n' || byte == '\r') pass_over_partner(editor, byte);
    if (is_first) first = byte;
    size_t length = mbrtowc(character, (const char *)&byte, 1, &state);
    if (length == (size_t)-2) continue;
    if (length == (size_t)-1) {
      // The byte that ends a character early may be a key.
      if (!is_first) untake(editor, &byte, 1);
      if (!editor->is_malformed) editor->malformed_byte = first;
      editor->is_malformed = true;
      *character = 0xFFFD;
    }
    return 1;
  }
}

// Gives libedit the next character, or the key that goes on below the line.
static int next_character(EditLine *edit, wchar_t *character) {
  ceditline_editor *editor = editor_of(edit);
  if (editor->is_leaving) return -1;
  // A key of a keymap in ~/.editrc may have swallowed the step, which is not tried again.
  bool steps = editor->list != NULL && !editor->is_listing;
  editor->is_listing = steps;
  if (steps) {
    *character = STEP_KEY;
    return 1;
  }
  int status = editor->dropped ? -1 : read_character(editor, character);
  if (!editor->dropped) return status;
  editor->is_leaving = true;
  *character = STEP_KEY;
  return 1;
}

#pragma mark Completion

static unsigned char complete(EditLine *edit, int key) {
  (void)key;
  ceditline_editor *editor = editor_of(edit);
  // A tab followed by more bytes was not pressed: it is part of a text.
  if (has_input(editor, 20)) return el_insertstr(edit, "\t") == 0 ? CC_REFRESH : CC_ERROR;
  const LineInfo *info = el_line(edit);
  if (editor->completion == NULL) return CC_ERROR;
  size_t length = (size_t)(info->lastchar - info->buffer);
  int cursor = (int)(info->cursor - info->buffer);
  char *line = strndup(info->buffer, length);
  if (line == NULL) return CC_ERROR;
  ceditline_reaction reaction =
      editor->completion(editor->completion_context, editor, line, cursor);
  free(line);
  switch (reaction) {
    case CEDITLINE_CHANGED:
    case CEDITLINE_LISTED:
      return CC_REFRESH;
    default:
      return CC_ERROR;
  }
}

void ceditline_replace(ceditline_editor *editor, int deleted, const char *text) {
  if (deleted > 0) el_deletestr(editor->edit, deleted);
  if (*text != '\0') el_insertstr(editor->edit, text);
}

void ceditline_list(ceditline_editor *editor, const char *text) {
  free(editor->list);
  editor->list = strdup(text);
  if (editor->list != NULL) editor->list_moved = move_to_end(editor->edit);
}

static unsigned char step_below(EditLine *edit, int key) {
  (void)key;
  ceditline_editor *editor = editor_of(edit);
  if (editor->dropped) {
    move_to_end(edit);
    return CC_CURSOR;
  }
  if (editor->list == NULL) return CC_ERROR;
  fprintf(editor->output, "\n%s\n", editor->list);
  fflush(editor->output);
  free(editor->list);
  editor->list = NULL;
  if (editor->list_moved > 0) el_cursor(edit, -editor->list_moved);
  el_set(edit, EL_REFRESH);
  return CC_NORM;
}

void ceditline_set_completion(
    ceditline_editor *editor, ceditline_completion completion, void *context) {
  editor->completion = completion;
  editor->completion_context = context;
}

#pragma mark Opening and reading

static char *current_prompt(EditLine *edit) { return (char *)editor_of(edit)->prompt; }

// Under the C locale libedit would show every letter beyond ASCII as an escape. All input is UTF-8.
static void choose_encoding(void) {
  setlocale(LC_CTYPE, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0) return;
  if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) setlocale(LC_CTYPE, "en_US.UTF-8");
}

static void bind_keys(EditLine *edit) {
  el_set(edit, EL_ADDFN, "console-complete", "Completes the word at the cursor", complete);
  el_set(edit, EL_EDITOR, "emacs");
  el_set(edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_set(edit, EL_BIND, "\\e[1~", "ed-move-to-beg", NULL);
  el_set(edit, EL_BIND, "\\e[4~", "ed-move-to-end", NULL);
  el_set(edit, EL_BIND, "\\e[3~", "ed-delete-next-char", NULL);
  el_set(edit, EL_BIND, "\\e[1;5C", "em-next-word", NULL);
  el_set(edit, EL_BIND, "\\e[1;5D", "ed-prev-word", NULL);
  el_source(edit, NULL);  // ~/.editrc: a person's own keys
  el_set(edit, EL_BIND, "^I", "console-complete", NULL);
  el_set(edit, EL_ADDFN, "console-insert", "Inserts what was pasted", insert_paste);
  el_set(edit, EL_ADDFN, "console-paste", "Reads and inserts what is pasted", begin_paste);
  el_set(edit, EL_ADDFN, "console-ignore", "Does nothing", ignore_key);
  el_set(edit, EL_ADDFN, "console-step", "Goes on below the line", step_below);
  el_set(edit, EL_BIND, "^]", "console-insert", NULL);
  el_set(edit, EL_BIND, "^^", "console-step", NULL);
  el_set(edit, EL_BIND, "\\e[200~", "console-paste", NULL);
  el_set(edit, EL_BIND, "\\e[201~", "console-ignore", NULL);
  // The keys for signals and for stopping output are handled here, see next_byte.
  el_set(edit, EL_SETTY, "-d", "-isig", "-ixon", NULL);
}

static bool open_wake_pipe(int wake[2]) {
  if (pipe(wake) != 0) return false;
  for (int i = 0; i < 2; i++) {
    fcntl(wake[i], F_SETFL, fcntl(wake[i], F_GETFL) | O_NONBLOCK);
    fcntl(wake[i], F_SETFD, FD_CLOEXEC);
  }
  return true;
}

ceditline_editor *ceditline_open(int history_limit) {
  if (!isatty(STDIN_FILENO)) return NULL;
  choose_encoding();
  ceditline_editor *editor = calloc(1, sizeof *editor);
  if (editor == NULL) return NULL;
  editor->wake[0] = editor->wake[1] = -1;
  editor->prompt = "";
  editor->output = isatty(STDOUT_FILENO) ? stdout : stderr;
  const char *terminal = getenv("TERM");
  editor->knows_brackets = terminal != NULL && *terminal != 0 && strcmp(terminal, "dumb") != 0 &&
                           isatty(fileno(editor->output));
  editor->history = history_init();
  editor->edit = el_init("authgraph", stdin, editor->output, stderr);
  if (editor->history == NULL || editor->edit == NULL || !open_wake_pipe(editor->wake)) {
    ceditline_close(editor);
    return NULL;
  }
  HistEvent event;
  history(editor->history, &event, H_SETSIZE, history_limit);
  el_set(editor->edit, EL_CLIENTDATA, editor);
  el_set(editor->edit, EL_SIGNAL, 0);
  el_set(editor->edit, EL_PROMPT, current_prompt);
  el_set(editor->edit, EL_HIST, history, editor->history);
  bind_keys(editor->edit);
  el_set(editor->edit, EL_GETCFN, next_character);
  return editor;
}

void ceditline_close(ceditline_editor *editor) {
  if (editor == NULL) return;
  if (editor->edit != NULL) el_end(editor->edit);
  if (editor->history != NULL) history_end(editor->history);
  for (int i = 0; i < 2; i++) {
    if (editor->wake[i] >= 0) close(editor->wake[i]);
  }
  paste_free(&editor->paste);
  paste_free(&editor->ahead);
  free(editor->list);
  free(editor->line);
  free(editor);
}

void ceditline_remember(ceditline_editor *editor, const char *entry) {
  HistEvent event;
  history(editor->history, &event, H_ENTER, entry);
}

static ceditline_event finish(ceditline_editor *editor, const char *echo, ceditline_event event) {
  fputs(echo, editor->output);
  fflush(editor->output);
  return event;
}

// Reads the special keys before libedit changes the terminal.
static void learn_keys(ceditline_editor *editor) {
  struct termios terminal;
  if (tcgetattr(STDIN_FILENO, &terminal) != 0) return;
  bool gives_signals = (terminal.c_lflag & ISIG) != 0;
  editor->interrupt_key = gives_signals ? terminal.c_cc[VINTR] : 0;
  editor->suspend_key = gives_signals ? terminal.c_cc[VSUSP] : 0;
  editor->quit_key = gives_signals ? terminal.c_cc[VQUIT] : 0;
}

unsigned char ceditline_malformed_byte(const ceditline_editor *editor) {
  return editor->malformed_byte;
}

ceditline_event ceditline_read(
    ceditline_editor *editor, const char *prompt, const char **line) {
  editor->prompt = prompt;
  editor->dropped = editor->is_leaving = editor->is_malformed = false;
  atomic_store(&editor->was_interrupted, false);
  learn_keys(editor);
  ceditline_route *route = ceditline_route_begin(note_interrupt, editor);
  prompt_signals_watch(editor->wake[1]);
  terminal_rescue_begin(fileno(editor->output), editor->knows_brackets ? brackets_off : "");
  ask_for_brackets(editor, true);
  int count = 0;
  const char *text = el_gets(editor->edit, &count);
  ask_for_brackets(editor, false);
  terminal_rescue_end();
  prompt_signals_unwatch();
  ceditline_route_end(route);
  editor->prompt = "";

  if (editor->dropped) return finish(editor, "^C\n", CEDITLINE_INTERRUPTED);
  if (text == NULL || count <= 0) return finish(editor, "\n", CEDITLINE_END_OF_INPUT);
  if (text[count - 1] == '\n') count--;
  free(editor->line);
  editor->line = strndup(text, (size_t)count);
  *line = editor->line == NULL ? "" : editor->line;
  bool is_refused = editor->is_malformed && strstr(*line, "\xEF\xBF\xBD") != NULL;
  return is_refused ? CEDITLINE_MALFORMED : CEDITLINE_LINE;
}
