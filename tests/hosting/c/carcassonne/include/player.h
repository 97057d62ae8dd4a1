#ifndef _CARCASSONNE_PLAYER_H_
#define _CARCASSONNE_PLAYER_H_

#include <stddef.h>

#define NUM_PLAYERS 2

enum player_color_t { BLACK = 0, WHITE = 1, SERVER = -1 };
enum gamemode_t { NO_MEEPLE, INFINITE_MEEPLE, FINITE_MEEPLE };
enum color_t { GREEN, GRAY, BLUE, BROWN, PURPLE, GOLD, AZURE, MAHOGANY };
enum conn_t {
    NW = 0, NN, NE, EN, EE, ES, SE, SS, SW, WS, WW, WN,
    CENTER = 12, MAX_CONNECTIONS = 13, NO_CONNECTION = 14
};

struct tile_t {
    unsigned int t[MAX_CONNECTIONS];
    enum color_t c[MAX_CONNECTIONS];
};

struct move_t {
    enum player_color_t player_id;
    int x, y;
    struct tile_t tile;
    enum conn_t meeple;
};

struct deck_t {
    struct tile_t *deck;
    size_t size;
    size_t capacity;
};

struct gameconfig_t {
    enum gamemode_t mode;
    size_t meeples;
    struct deck_t *deck;
};

char const *get_player_name();
void initialize(unsigned int player_id, const struct move_t first_move, struct gameconfig_t config);
struct move_t play(const struct move_t previous_move, const struct tile_t tile);
void finalize();

#endif
