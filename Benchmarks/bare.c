/* A minimal full-screen program: opens the terminal, writes one word and waits for a key. */
#include <curses.h>

int main(void) {
    initscr();
    cbreak();
    noecho();
    mvaddstr(0, 0, "Accounts");
    refresh();
    getch();
    endwin();
    return 0;
}
