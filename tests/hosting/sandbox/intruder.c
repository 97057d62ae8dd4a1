/* Tries what an isolated player must not be able to do, prints what came of it, and plays on. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct move { int color; };

static void tell(char const *attack, int broken) {
  printf("%s %s\n", attack, broken ? "broken" : "held");
}

static char const *order(char const *name) {
  static char variable[64];
  snprintf(variable, sizeof variable, "LUDOGRAPH_PLAYER_%s", name);
  return getenv(variable);
}

static int opens(char const *folder, char const *name, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, flags, 0644);
  if (file >= 0) close(file);
  return file >= 0;
}

static int lists(char const *path) {
  DIR *folder = opendir(path);
  if (folder) closedir(folder);
  return folder != NULL;
}

static int connects(int port) {
  struct sockaddr_in where = { .sin_family = AF_INET, .sin_port = htons(port) };
  inet_aton("127.0.0.1", &where.sin_addr);
  int line = socket(AF_INET, SOCK_STREAM, 0);
  return line >= 0 && connect(line, (struct sockaddr *) &where, sizeof where) == 0;
}

static void attack(void) {
  char path[4096];
  char const *outside = order("OUTSIDE");
  tell("read", opens("", outside, O_RDONLY));
  snprintf(path, sizeof path, "%s", outside);
  *strrchr(path, '/') = 0;
  tell("look", lists(path));
  tell("write_own", opens(order("OWN"), "written.c", O_WRONLY | O_CREAT));
  tell("write_cache", opens(order("CACHE"), "written.c", O_WRONLY | O_CREAT));
  tell("connect", connects(atoi(order("PORT"))));
  tell("signal", kill(atoi(order("VICTIM")), SIGUSR1) == 0);
  snprintf(path, sizeof path, "/proc/%s/fd", order("VICTIM"));
  tell("trace", lists(path));
  tell("environment", getenv("LUDOGRAPH_TEST_SECRET") != NULL);
  tell("namespace", unshare(CLONE_NEWUSER) == 0);
}

char const *get_player_name(void) { return "intruder"; }
void initialize(size_t id, void *graph, int *colors, void *forbidden) { }
void finalize(void) { }

struct move play(struct move previous) {
  static int asked;
  if (!asked++) attack();
  return (struct move) { -1 };
}
