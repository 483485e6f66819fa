// A program that reads a file: how many columns fit on a page. Nobody says what the file holds, so everything is tried.
#include <stdio.h>
#include <stdlib.h>

static int columns(int page)
{
    char line[8];
    FILE *settings = fopen("settings", "r");
    if (!settings)
        return 1;
    if (!fgets(line, sizeof line, settings)) {
        fclose(settings);
        return 1;
    }
    fclose(settings);
    return page / atoi(line);
}

int main(void)
{
    printf("%d\n", columns(80));
    return 0;
}
