/* gst-cca: test cases that have the names of their functions
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <string.h>

/* Adds test_some_name as FOLDER/some-name, and so on. */
#define ADD_TESTS(folder, ...) add_named_tests (folder, #__VA_ARGS__, (const GTestFunc[]) { __VA_ARGS__ })

/* Defines the main function of a program; the block after the macro adds its cases. */
#define CASES_MAIN() CASES_MAIN_AFTER ((void) 0)

/* Does the same, with an initialisation. */
#define CASES_MAIN_AFTER(init)                                                                                         \
  static void add_cases (void);                                                                                        \
                                                                                                                       \
  int main (int argc, char **argv)                                                                                     \
  {                                                                                                                    \
    g_test_init (&argc, &argv, NULL);                                                                                  \
    init;                                                                                                              \
    add_cases ();                                                                                                      \
    return g_test_run ();                                                                                              \
  }                                                                                                                    \
                                                                                                                       \
  static void add_cases (void)

/* Defines the main function of a program whose cases have the names of their functions. */
#define TESTS_MAIN(folder, ...)                                                                                        \
  CASES_MAIN ()                                                                                                        \
  {                                                                                                                    \
    ADD_TESTS (folder, __VA_ARGS__);                                                                                   \
  }

/* Adds GROUP/NAME, a case with data. */
static inline void
add_case (const char *group, const char *name, gconstpointer data, GTestDataFunc test)
{
  g_autofree char *path = g_strconcat (group, "/", name, NULL);

  g_test_add_data_func (path, data, test);
}

/* Adds a case for each row of a table; a row begins with its case's name. */
#define ADD_ROWS(group, table, test) add_rows (group, table, G_N_ELEMENTS (table), sizeof *(table), test)

static inline void
add_rows (const char *group, gconstpointer table, size_t n, size_t size, GTestDataFunc test)
{
  for (size_t i = 0; i < n; i++) {
    const char *const *row = (const char *const *) ((const char *) table + i * size);

    add_case (group, *row, row, test);
  }
}

/* Adds a case for each string, which is its name and its data. */
#define ADD_STRINGS(group, test, ...)                                                                                  \
  add_strings (group, (const char *const[]) { __VA_ARGS__ },                                                           \
               sizeof ((const char *const[]) { __VA_ARGS__ }) / sizeof (char *), test)

static inline void
add_strings (const char *group, const char *const *strings, size_t n, GTestDataFunc test)
{
  for (size_t i = 0; i < n; i++)
    add_case (group, strings[i], strings[i], test);
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
