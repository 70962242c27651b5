/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scratch_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

char scratch_folder[] = "/tmp/mprof-test-XXXXXX";
char scratch_path[64];

int scratch_make(void **state)
{
    if (mkdtemp(scratch_folder) == NULL)
        return -1;
    snprintf(scratch_path, sizeof(scratch_path), "%s/file", scratch_folder);
    return 0;
}

int scratch_remove(void **state)
{
    (void)unlink(scratch_path);
    return rmdir(scratch_folder);
}

void scratch_write(const char *bytes, size_t len)
{
    FILE *file = fopen(scratch_path, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}
