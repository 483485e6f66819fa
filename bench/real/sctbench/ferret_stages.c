// The libraries of ferret: a folder with FILES images of one pixel, and a data base that finds nothing.
// The stages, their queues and the pool of threads are ferret's own.
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cass.h>
#include <cass_timer.h>
#include "../image/image.h"

#ifndef FILES
#define FILES 1
#endif

static int n_read;

DIR *opendir(const char *path) { return (DIR *)&n_read; }
int closedir(DIR *folder) { return 0; }

struct dirent *readdir(DIR *folder)
{
    static struct dirent entry;
    snprintf(entry.d_name, sizeof entry.d_name, "%d.jpg", n_read);
    return n_read++ < FILES ? &entry : NULL;
}

int stat(const char *path, struct stat *to)
{
    *to = (struct stat){.st_mode = strstr(path, ".jpg") ? S_IFREG : S_IFDIR};
    return 0;
}

FILE *fopen(const char *path, const char *mode) { return stdout; }
int fclose(FILE *stream) { return 0; }

void stimer_tick(stimer_t *timer) {}
float stimer_tuck(stimer_t *timer, const char *text) { return 0; }

int image_init(const char *path) { return 0; }
int image_cleanup(void) { return 0; }

int image_read_rgb_hsv(const char *path, int *width, int *height, unsigned char **rgb, unsigned char **hsv)
{
    *width = *height = 1;
    *rgb = calloc(3, 1);
    *hsv = calloc(3, 1);
    return 0;
}

int image_segment(void **mask, int *regions, void *pixels, int width, int height)
{
    *mask = calloc(1, 1);
    *regions = 1;
    return 0;
}

int image_extract_helper(unsigned char *hsv, unsigned char *mask, int width, int height, int regions, cass_dataset_t *to)
{
    to->num_vecset = 1;
    to->vecset = calloc(1, sizeof *to->vecset);
    to->vecset->num_regions = regions;
    return 0;
}

int cass_dataset_release(cass_dataset_t *dataset)
{
    free(dataset->vecset);
    return 0;
}

static int load(cass_table_t *table) { return 0; }
static cass_table_opr_t operations = {.load = load};
static cass_map_t names;
static cass_table_t table = {.parent_id = -1, .opr = &operations, .map = &names};
static cass_env_t environment;

int cass_init(void) { return 0; }
int cass_cleanup(void) { return 0; }
const char *cass_strerror(int error) { return "error"; }

int cass_env_open(cass_env_t **to, char *folder, uint32_t flags)
{
    *to = &environment;
    return 0;
}

int cass_env_close(cass_env_t *env, uint32_t flags) { return 0; }
int32_t cass_reg_lookup(cass_reg_t *registry, const char *name) { return 0; }
void *cass_reg_get(cass_reg_t *registry, uint32_t number) { return &table; }
int cass_map_load(cass_map_t *map) { return 0; }

int cass_map_id_to_dataobj(cass_map_t *map, cass_vecset_id_t id, char **to)
{
    *to = "object";
    return 0;
}

int cass_table_query(cass_table_t *table, cass_query_t *query, cass_result_t *to) { return 0; }

int cass_result_alloc_list(cass_result_t *to, cass_size_t regions, cass_size_t n)
{
    *to = (cass_result_t){0};
    return 0;
}

cass_result_t *cass_result_merge_lists(cass_result_t *from, cass_dataset_t *dataset, int32_t n)
{
    return calloc(1, sizeof(cass_result_t));
}

int cass_result_free(cass_result_t *result) { return 0; }
