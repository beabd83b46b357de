/* gst-cca: a Kafka cluster for tests, librdkafka's mock brokers over TCP, that takes commands
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: mock-cluster [BROKERS]     3 brokers unless said, numbered from 1.
 *
 * The first line of standard output is the bootstrap servers, "127.0.0.1:PORT,…". Each line of standard input is a
 * command, and is answered with "ok" or "error: REASON". The program ends with its input. A topic that is not there is
 * made when it is first asked for, with four partitions. Each partition keeps its last 5 MiB.
 *
 *   topic TOPIC PARTITIONS [REPLICAS]    make a topic
 *   leader TOPIC PARTITION BROKER        move a partition; broker -1: it has no leader
 *   down BROKER, up BROKER               close all connections and refuse new ones; accept them again; -1: all brokers
 *   rtt BROKER MILLISECONDS              delay every answer; -1: of all brokers
 *   errors API COUNT ERROR               the next COUNT requests fail and have no effect
 *   delays BROKER API COUNT MILLISECONDS the next COUNT answers come so much later
 *   clear API                            no more errors for these requests
 *   topic-error TOPIC ERROR              what metadata says of a topic
 *
 * APIs are Produce, Fetch, ListOffsets, Metadata and InitProducerId. ERROR is a name without RD_KAFKA_RESP_ERR_, as
 * NOT_ENOUGH_REPLICAS or NO_ERROR; _TRANSPORT closes the connection.
 */
#include <glib.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <stdio.h>
#include <string.h>

#define MOST_ARGUMENTS 4
#define MOST_ERRORS 100000

/* The arguments of a command; those in its format are set. */
typedef struct
{
  rd_kafka_mock_cluster_t *cluster;
  const gchar *topic;
  rd_kafka_resp_err_t error;
  gint16 api;
  gint32 numbers[MOST_ARGUMENTS];
  guint n_numbers;
} Arguments;

typedef rd_kafka_resp_err_t (*Command) (const Arguments *arguments);

static rd_kafka_resp_err_t
make_topic (const Arguments *a)
{
  return rd_kafka_mock_topic_create (a->cluster, a->topic, a->numbers[0], a->n_numbers > 1 ? a->numbers[1] : 1);
}

static rd_kafka_resp_err_t
set_leader (const Arguments *a)
{
  return rd_kafka_mock_partition_set_leader (a->cluster, a->topic, a->numbers[0], a->numbers[1]);
}

static rd_kafka_resp_err_t
set_down (const Arguments *a)
{
  return rd_kafka_mock_broker_set_down (a->cluster, a->numbers[0]);
}

static rd_kafka_resp_err_t
set_up (const Arguments *a)
{
  return rd_kafka_mock_broker_set_up (a->cluster, a->numbers[0]);
}

static rd_kafka_resp_err_t
set_rtt (const Arguments *a)
{
  return rd_kafka_mock_broker_set_rtt (a->cluster, a->numbers[0], a->numbers[1]);
}

static rd_kafka_resp_err_t
push_errors (const Arguments *a)
{
  rd_kafka_resp_err_t *errors;

  if (a->numbers[0] < 1 || a->numbers[0] > MOST_ERRORS)
    return RD_KAFKA_RESP_ERR__INVALID_ARG;
  errors = g_new (rd_kafka_resp_err_t, a->numbers[0]);
  for (gint32 i = 0; i < a->numbers[0]; i++)
    errors[i] = a->error;
  rd_kafka_mock_push_request_errors_array (a->cluster, a->api, a->numbers[0], errors);
  g_free (errors);
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

static rd_kafka_resp_err_t
push_delays (const Arguments *a)
{
  rd_kafka_resp_err_t result = RD_KAFKA_RESP_ERR_NO_ERROR;

  for (gint32 i = 0; i < a->numbers[1] && !result; i++)
    result = rd_kafka_mock_broker_push_request_error_rtts (a->cluster, a->numbers[0], a->api, 1,
                                                           RD_KAFKA_RESP_ERR_NO_ERROR, a->numbers[2]);
  return result;
}

static rd_kafka_resp_err_t
clear_errors (const Arguments *a)
{
  rd_kafka_mock_clear_request_errors (a->cluster, a->api);
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

static rd_kafka_resp_err_t
set_topic_error (const Arguments *a)
{
  rd_kafka_mock_topic_set_error (a->cluster, a->topic, a->error);
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

/* Arguments: t a topic, n a number, a an API, e an error; arguments behind '?' may be left out. */
static const struct
{
  const gchar *name, *arguments;
  Command run;
} commands[] = {
  { "topic", "tn?n", make_topic },
  { "leader", "tnn", set_leader },
  { "down", "n", set_down },
  { "up", "n", set_up },
  { "rtt", "nn", set_rtt },
  { "errors", "ane", push_errors },
  { "delays", "nann", push_delays },
  { "clear", "a", clear_errors },
  { "topic-error", "te", set_topic_error },
};

/* Keys of the protocol. */
static const struct
{
  const gchar *name;
  gint16 key;
} apis[] = { { "Produce", 0 }, { "Fetch", 1 }, { "ListOffsets", 2 }, { "Metadata", 3 }, { "InitProducerId", 22 } };

static gboolean
read_number (const gchar *word, gint32 *number)
{
  gint64 value;

  if (!g_ascii_string_to_signed (word, 10, G_MININT32, G_MAXINT32, &value, NULL))
    return FALSE;
  *number = (gint32) value;
  return TRUE;
}

static gboolean
read_api (const gchar *word, gint16 *api)
{
  for (guint i = 0; i < G_N_ELEMENTS (apis); i++)
    if (g_str_equal (word, apis[i].name)) {
      *api = apis[i].key;
      return TRUE;
    }
  return FALSE;
}

static gboolean
read_error (const gchar *word, rd_kafka_resp_err_t *error)
{
  const struct rd_kafka_err_desc *descriptions;
  size_t n;

  rd_kafka_get_err_descs (&descriptions, &n);
  for (size_t i = 0; i < n; i++)
    if (descriptions[i].name && g_str_equal (word, descriptions[i].name)) {
      *error = descriptions[i].code;
      return TRUE;
    }
  return FALSE;
}

static gboolean
read_argument (Arguments *arguments, gchar kind, const gchar *word)
{
  switch (kind) {
    case 't': arguments->topic = word; return TRUE;
    case 'n': return read_number (word, &arguments->numbers[arguments->n_numbers++]);
    case 'a': return read_api (word, &arguments->api);
    default: return read_error (word, &arguments->error);
  }
}

/* Returns what is wrong, or NULL. */
static gchar *
read_arguments (Arguments *arguments, const gchar *format, gchar **words)
{
  gboolean optional = FALSE;

  for (; *format; format++) {
    if (*format == '?') {
      optional = TRUE;
      continue;
    }
    if (!*words)
      return optional ? NULL : g_strdup ("too few arguments");
    if (!read_argument (arguments, *format, *words))
      return g_strdup_printf ("not understood: %s", *words);
    words++;
  }
  return *words ? g_strdup_printf ("too many arguments: %s", *words) : NULL;
}

/* Returns what is wrong, or NULL. */
static gchar *
obey (rd_kafka_mock_cluster_t *cluster, gchar **words)
{
  Arguments arguments = { .cluster = cluster };
  rd_kafka_resp_err_t result;
  gchar *wrong;

  for (guint i = 0; words[0] && i < G_N_ELEMENTS (commands); i++) {
    if (!g_str_equal (words[0], commands[i].name))
      continue;
    wrong = read_arguments (&arguments, commands[i].arguments, words + 1);
    if (wrong)
      return wrong;
    result = commands[i].run (&arguments);
    return result ? g_strdup (rd_kafka_err2name (result)) : NULL;
  }
  return g_strdup_printf ("no such command: %s", words[0] ? words[0] : "");
}

int
main (int argc, char **argv)
{
  gint32 n_brokers = 3;
  rd_kafka_mock_cluster_t *cluster;
  gchar reason[512], line[1024];
  rd_kafka_conf_t *settings;
  rd_kafka_t *client;

  if (argc > 2 || (argc == 2 && (!read_number (argv[1], &n_brokers) || n_brokers < 1))) {
    fprintf (stderr, "usage: mock-cluster [BROKERS]\n");
    return 2;
  }
  settings = rd_kafka_conf_new ();
  rd_kafka_conf_set (settings, "log_level", "4", NULL, 0); /* it would notice that it has no brokers of its own */
  client = rd_kafka_new (RD_KAFKA_PRODUCER, settings, reason, sizeof reason);
  if (!client) {
    fprintf (stderr, "%s\n", reason);
    return 1;
  }
  cluster = rd_kafka_mock_cluster_new (client, n_brokers);
  if (!cluster) {
    fprintf (stderr, "No mock cluster\n");
    rd_kafka_destroy (client);
    return 1;
  }
  printf ("%s\n", rd_kafka_mock_cluster_bootstraps (cluster));
  fflush (stdout);
  while (fgets (line, sizeof line, stdin)) {
    g_auto (GStrv) words = g_strsplit (g_strstrip (line), " ", -1);
    g_autofree gchar *wrong = obey (cluster, words);

    if (wrong)
      printf ("error: %s\n", wrong);
    else
      printf ("ok\n");
    fflush (stdout);
  }
  rd_kafka_mock_cluster_destroy (cluster);
  rd_kafka_destroy (client);
  return 0;
}
