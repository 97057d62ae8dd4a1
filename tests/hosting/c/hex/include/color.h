#ifndef _HEX_COLOR_H_
#define _HEX_COLOR_H_

enum color_t { BLACK = 0, WHITE = 1, NO_COLOR = 2 };

#endif
