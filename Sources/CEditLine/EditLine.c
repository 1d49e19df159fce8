// Reads lines at a terminal with libedit.

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "CEditLine.h"
#include "PromptSignals.h"

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
  bool dropped;
  bool ended;
};

#pragma mark Signals at the prompt

static void note_interrupt(void *context) {
  ceditline_editor *editor = context;
  atomic_store(&editor->was_interrupted, true);
  prompt_signals_wake();
}

static void deliver_deferred(ceditline_editor *editor) {
  for (int number = 0; (number = prompt_signals_take_deferred()) != 0;) {
    el_set(editor->edit, EL_PREP_TERM, 0);
    prompt_signals_deliver(number);
  }
}

static void redraw(ceditline_editor *editor) {
  el_set(editor->edit, EL_PREP_TERM, 0);
  el_set(editor->edit, EL_PREP_TERM, 1);
  el_resize(editor->edit);
  el_set(editor->edit, EL_REFRESH);
}

#pragma mark Keys

static ceditline_editor *editor_of(EditLine *edit) {
  void *data = NULL;
  el_get(edit, EL_CLIENTDATA, &data);
  return data;
}

// Puts the cursor behind the last character and returns by how much it moved.
static int move_to_end(EditLine *edit) {
  const LineInfoW *info = el_wline(edit);
  int distance = (int)(info->lastchar - info->cursor);
  if (distance > 0) el_cursor(edit, distance);
  return distance;
}

// Waits until a byte is there. 1 when it is read, 0 at the end, -1 when the line is dropped.
static int next_byte(ceditline_editor *editor, unsigned char *byte) {
  for (;;) {
    if (atomic_exchange(&editor->was_interrupted, false)) {
      editor->dropped = true;
      move_to_end(editor->edit);
      el_set(editor->edit, EL_REFRESH);
      return -1;
    }
    deliver_deferred(editor);
    if (prompt_signals_take_redraw()) redraw(editor);

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

// libedit's own reader gives up at the first malformed byte; a stray one must not end the session.
static int next_character(EditLine *edit, wchar_t *character) {
  ceditline_editor *editor = editor_of(edit);
  mbstate_t state;
  memset(&state, 0, sizeof state);
  for (;;) {
    unsigned char byte = 0;
    int status = next_byte(editor, &byte);
    if (status == 0) editor->ended = true;
    if (status != 1) return status;
    size_t length = mbrtowc(character, (const char *)&byte, 1, &state);
    if (length == (size_t)-2) continue;
    if (length == (size_t)-1) *character = 0xFFFD;
    return 1;
  }
}

#pragma mark Completion

// Whether a tab is the indentation of a pasted script: the rest of it waits already.
static bool is_pasted_indentation(const LineInfo *info) {
  for (const char *at = info->buffer; at < info->cursor; at++) {
    if (*at != ' ' && *at != '\t') return false;
  }
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&input, 1, 0) > 0;
}

static unsigned char complete(EditLine *edit, int key) {
  (void)key;
  ceditline_editor *editor = editor_of(edit);
  const LineInfo *info = el_line(edit);
  if (is_pasted_indentation(info)) return el_insertstr(edit, "  ") == 0 ? CC_REFRESH : CC_ERROR;
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
      return CC_REFRESH;
    case CEDITLINE_LISTED:
      return CC_NORM;
    default:
      return CC_ERROR;
  }
}

void ceditline_replace(ceditline_editor *editor, int deleted, const char *text) {
  if (deleted > 0) el_deletestr(editor->edit, deleted);
  if (*text != '\0') el_insertstr(editor->edit, text);
}

void ceditline_list(ceditline_editor *editor, const char *text) {
  int moved = move_to_end(editor->edit);
  el_set(editor->edit, EL_REFRESH);
  fprintf(editor->output, "\n%s\n", text);
  fflush(editor->output);
  if (moved > 0) el_cursor(editor->edit, -moved);
  el_set(editor->edit, EL_REFRESH);
}

void ceditline_set_completion(
    ceditline_editor *editor, ceditline_completion completion, void *context) {
  editor->completion = completion;
  editor->completion_context = context;
}

#pragma mark Opening and reading

static char *current_prompt(EditLine *edit) { return (char *)editor_of(edit)->prompt; }

// Under the C locale libedit would show every letter beyond ASCII as an escape.
static void choose_encoding(void) {
  setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX > 1) return;
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

ceditline_event ceditline_read(
    ceditline_editor *editor, const char *prompt, const char **line) {
  editor->prompt = prompt;
  editor->dropped = editor->ended = false;
  atomic_store(&editor->was_interrupted, false);
  ceditline_route *route = ceditline_route_begin(note_interrupt, editor);
  prompt_signals_watch(editor->wake[1]);
  int count = 0;
  const char *text = el_gets(editor->edit, &count);
  prompt_signals_unwatch();
  ceditline_route_end(route);
  editor->prompt = "";

  if (editor->dropped) return finish(editor, "^C\n", CEDITLINE_INTERRUPTED);
  if (text == NULL || count <= 0) return finish(editor, "\n", CEDITLINE_END_OF_INPUT);
  if (text[count - 1] == '\n') count--;
  free(editor->line);
  editor->line = strndup(text, (size_t)count);
  *line = editor->line == NULL ? "" : editor->line;
  return CEDITLINE_LINE;
}
