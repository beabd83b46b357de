/* gst-cca: test cases that have the names of their functions
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <string.h>

/* Adds test_some_name as FOLDER/some-name, and so on. */
#define ADD_TESTS(folder, ...) add_named_tests (folder, #__VA_ARGS__, (const GTestFunc[]) { __VA_ARGS__ })

/* The main function of a program that has only such cases. */
#define TESTS_MAIN(folder, ...)                                                                                        \
  int main (int argc, char **argv)                                                                                     \
  {                                                                                                                    \
    g_test_init (&argc, &argv, NULL);                                                                                  \
    ADD_TESTS (folder, __VA_ARGS__);                                                                                   \
    return g_test_run ();                                                                                              \
  }

static inline void
add_named_tests (const char *folder, const char *functions, const GTestFunc *function)
{
  g_auto (GStrv) names = g_strsplit (functions, ", ", 0);

  for (char **name = names; *name; name++, function++) {
    g_autofree char *path = g_strconcat (folder, "/", *name + strlen ("test_"), NULL);

    g_assert_true (g_str_has_prefix (*name, "test_"));
    g_test_add_func (g_strdelimit (path, "_", '-'), *function);
  }
}
