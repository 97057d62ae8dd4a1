#ifndef _FLOOD_MOVE_H_
#define _FLOOD_MOVE_H_

#include "color.h"

struct move_t {
    enum color_t c;
};

#endif
