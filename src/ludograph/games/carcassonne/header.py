"""The C header of Carcassonne's players, for their authors and for cffi."""

HEADER = """\
/* player.h: what a player of Carcassonne is made of.

   Build it as a shared library:
       gcc -std=c99 -Wall -shared -fPIC my_player.c -o my_player.so                            */
#ifndef CARCASSONNE_PLAYER_H
#define CARCASSONNE_PLAYER_H

#include <stddef.h>

#define NUM_PLAYERS 2

enum player_color_t { BLACK = 0, WHITE = 1, SERVER = -1 };

/* NO_MEEPLE: who closes a component gets its points. The other two: who has most meeples in it. */
enum gamemode_t { NO_MEEPLE = 0, INFINITE_MEEPLE = 1, FINITE_MEEPLE = 2 };

/* Terrains: GREEN is field, GRAY is road, BROWN is castle. The others are worth nothing. */
enum color_t { GREEN, GRAY, BLUE, BROWN, PURPLE, GOLD, AZURE, MAHOGANY };

/* The vertices of a tile, clockwise: three on each side, from the top left, and the center. */
enum conn_t {
  NW = 0, NN, NE, /* north, left to right */
  EN, EE, ES,     /* east, top to bottom  */
  SE, SS, SW,     /* south, right to left */
  WS, WW, WN,     /* west, bottom to top  */
  CENTER = 12,
  MAX_CONNECTIONS = 13,
  NO_CONNECTION = 14 /* no meeple */
};

/* Vertices hang together if they have the same t: which numbers are used means nothing.
   Turned by a quarter, clockwise, a tile has at (v + 3) % 12 what was at v; CENTER stays. */
struct tile_t {
  unsigned int t[MAX_CONNECTIONS]; /* the component of every vertex */
  enum color_t c[MAX_CONNECTIONS]; /* the terrain of every vertex */
};

/* A tile as it was placed. x grows to the east, y to the north. */
struct move_t {
  enum player_color_t player_id;
  int x;
  int y;
  struct tile_t tile;
  enum conn_t meeple; /* a vertex of the tile, or NO_CONNECTION; no matter in NO_MEEPLE */
};

struct deck_t {
  struct tile_t *deck;
  size_t size;
  size_t capacity;
};

struct gameconfig_t {
  enum gamemode_t mode;
  size_t meeples;      /* of each player in FINITE_MEEPLE, else 0 */
  struct deck_t *deck; /* all tiles, that of the first move at 0, then kind by kind: the order
                          says nothing of what is dealt when */
};

/* The player's name: letters, digits, blanks, '-' and '_'. */
char const *get_player_name();

/* Called once, first. player_id is BLACK for the player that moves first. The first move is the
   server's: the tile at (0, 0). The player owns config.deck and config.deck->deck, both from
   malloc, and frees them. */
void initialize(unsigned int player_id, const struct move_t first_move, struct gameconfig_t config);

/* Gets the move made last, which is the opponent's, and the tile to place; returns the player's
   own move. The first call of the game gets the server's first move. */
struct move_t play(const struct move_t previous_move, const struct tile_t tile);

/* The game is over: free everything. */
void finalize();

#endif
"""

DECLARATIONS = """
struct tile_t { int t[13]; int c[13]; };
struct move_t { int player_id; int x; int y; struct tile_t tile; int meeple; };
struct deck_t { struct tile_t *deck; size_t size; size_t capacity; };
struct gameconfig_t { int mode; size_t meeples; struct deck_t *deck; };
char const *get_player_name();
void initialize(unsigned int player_id, const struct move_t first_move, struct gameconfig_t config);
struct move_t play(const struct move_t previous_move, const struct tile_t tile);
void finalize();
"""
"""Enumerations are plain ``int`` here: a compiler may choose an unsigned type, and change -1."""
