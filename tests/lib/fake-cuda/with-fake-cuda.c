/* gst-cca: runs a test program with the fake driver in front of this machine's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: with-fake-cuda PROGRAM [ARGUMENT…]
 *
 * A machine without a GPU makes that one skip.
 */
#define _GNU_SOURCE /* dlinfo */
#include <dlfcn.h>
#include <libgen.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of the machine's driver; without a device it is NULL and *reason says why. */
static const char *
find_driver (const char **reason)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  struct link_map *map;
  int (*init) (unsigned flags), (*get_count) (int *count), count = 0;

  if (library == NULL) {
    *reason = dlerror ();
    return NULL;
  }
  *(void **) &init = dlsym (library, "cuInit");
  *(void **) &get_count = dlsym (library, "cuDeviceGetCount");
  *reason = "the NVIDIA driver shows no GPU";
  if (init == NULL || get_count == NULL || init (0) != 0 || get_count (&count) != 0 || count == 0
      || dlinfo (library, RTLD_DI_LINKMAP, &map) != 0)
    return NULL;
  return map->l_name;
}

int
main (int argc, char **argv)
{
  const char *reason, *driver = find_driver (&reason), *paths = getenv ("LD_LIBRARY_PATH");
  char self[4096], folders[16384];
  ssize_t length;

  if (argc < 2) {
    fprintf (stderr, "usage: with-fake-cuda PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  if (driver == NULL) {
    printf ("1..0 # SKIP no GPU: %s\n", reason);
    return 0;
  }
  length = readlink ("/proc/self/exe", self, sizeof self - 1);
  if (length < 0) {
    perror ("with-fake-cuda: /proc/self/exe");
    return 1;
  }
  self[length] = '\0';
  /* The fake driver was built beside this program. */
  snprintf (folders, sizeof folders, "%s:%s", dirname (self), paths ? paths : "");
  setenv ("FAKE_CUDA_DRIVER", driver, 1);
  setenv ("LD_LIBRARY_PATH", folders, 1);
  execv (argv[1], argv + 1);
  perror (argv[1]);
  return 1;
}
