/* gst-cca: a connection to an MQTT broker, by libmosquitto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mosquitto_connect() blocks while it looks up a name and opens the connection, so a thread of its own makes that call;
 * all else happens in poll(), on a socket that does not block. mosquitto_loop_start() does not replace this: it
 * reconnects at times of its own, and mosquitto_loop_stop() blocks until a call that is under way returns, or cancels
 * its thread.
 */
#define _GNU_SOURCE /* POLLRDHUP */
#include "mqttclient.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

#include <mosquitto.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/* For the broker to accept a connection, us. */
#define PATIENCE (10 * G_TIME_SPAN_SECOND)

typedef enum
{
  PHASE_IDLE,
  PHASE_OPENING,  /* the thread has the client */
  PHASE_GREETING, /* until the broker accepts */
  PHASE_CONNECTED,
  PHASE_LEAVING,
} Phase;

struct _GstCcaMqttClient
{
  struct mosquitto *mosquitto;
  gchar *host;
  guint port, keep_alive;
  gboolean tls;
  GstCcaMqttCallbacks callbacks;
  gpointer data;

  Phase phase;
  gint64 patience_end; /* monotonic, of opening and greeting; 0: was told */
  gchar *trouble;      /* libmosquitto's first error in its log, or NULL */
  int refusal;         /* the broker's code, or 0 */
  int distrust;        /* why the broker's certificate is not trusted: X509_V_… */

  GMutex lock; /* for what follows */
  gboolean is_opened, is_abandoned;
  int opened_rc, opened_errno;
};

/* --- Reasons ----------------------------------------------------------------------------------------- */

static const gchar *
text_of (const GstCcaMqttClient *self, int rc, int code)
{
  if (rc == MOSQ_ERR_ERRNO && code == EPROTO && self->trouble)
    return self->trouble;
  if (rc == MOSQ_ERR_ERRNO)
    return g_strerror (code);
  if (rc == MOSQ_ERR_EAI)
    return gai_strerror (code);
  return mosquitto_strerror (rc);
}

static void
tell_lost (GstCcaMqttClient *self, gboolean denied, const gchar *what, const gchar *why)
{
  g_autofree gchar *reason = g_strdup_printf ("%s %s:%u: %s", what, self->host, self->port, why);

  self->phase = PHASE_IDLE;
  self->patience_end = 0;
  self->callbacks.disconnected (self->data, denied, reason);
}

/* Whether OpenSSL found the fault itself: its texts for errors of the system say less than ours. */
static gboolean
is_of_openssl (const gchar *trouble)
{
  return trouble && !strstr (trouble, ":system library:");
}

/* Reports a connection that ended or failed, with a code of libmosquitto's. */
static void
lose (GstCcaMqttClient *self, int rc, int code)
{
  const Phase phase = self->phase;
  const gboolean is_tls_trouble =
      rc == MOSQ_ERR_TLS
      || (self->tls && (rc == MOSQ_ERR_CONN_LOST || (rc == MOSQ_ERR_ERRNO && (code == EPROTO || code == ECONNRESET))));

  if (phase == PHASE_IDLE)
    return;
  if (phase == PHASE_LEAVING)
    tell_lost (self, FALSE, "Left", "as asked");
  else if (phase == PHASE_CONNECTED)
    tell_lost (self, FALSE, "Lost the connection to", text_of (self, rc, code));
  else if (self->refusal != 0)
    tell_lost (self, self->refusal != 3 /* unavailable */, "Cannot connect to",
               mosquitto_connack_string (self->refusal));
  else if (self->distrust != X509_V_OK)
    tell_lost (self, TRUE, "Cannot trust", X509_verify_cert_error_string (self->distrust));
  else if (is_tls_trouble)
    tell_lost (self, TRUE, "No TLS connection to",
               is_of_openssl (self->trouble)
                   ? self->trouble
                   : "the broker closed it; it may require a certificate (cert-file, key-file)");
  else
    tell_lost (self, FALSE, "Cannot connect to", text_of (self, rc, code));
}

/* --- Callbacks of libmosquitto ----------------------------------------------------------------------- */

static void
on_connect (struct mosquitto *mosquitto, void *data, int code, int flags)
{
  GstCcaMqttClient *self = data;

  self->refusal = code;
  if (code != 0 || self->phase != PHASE_GREETING)
    return; /* the connection ends next */
  self->phase = PHASE_CONNECTED;
  self->callbacks.connected (self->data, (flags & 1) != 0);
}

static void
on_disconnect (struct mosquitto *mosquitto, void *data, int rc)
{
  lose (data, rc, errno);
}

static void
on_publish (struct mosquitto *mosquitto, void *data, int id)
{
  GstCcaMqttClient *self = data;

  self->callbacks.published (self->data, id);
}

static void
on_log (struct mosquitto *mosquitto, void *data, int level, const char *text)
{
  GstCcaMqttClient *self = data;

  if (level == MOSQ_LOG_ERR && !self->trouble)
    self->trouble = g_strdup (text);
}

/* --- TLS --------------------------------------------------------------------------------------------- */

/* Verifies a chain of certificates as usual, and notes the reason where that fails. */
static int
verify (X509_STORE_CTX *chain, void *distrust)
{
  const int result = X509_verify_cert (chain);

  if (result <= 0)
    *(int *) distrust = X509_STORE_CTX_get_error (chain);
  return result;
}

/* OpenSSL would ask for the password of a key on the terminal. */
static int
no_password (char *text, int size, int writing, void *data)
{
  return 0;
}

static gboolean
fail_tls (GError **error, const gchar *what, const gchar *path)
{
  const char *reason = ERR_reason_error_string (ERR_peek_last_error ());

  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "Cannot use \"%s\" as %s: %s", path, what,
               reason ? reason : "unknown reason");
  ERR_clear_error ();
  return FALSE;
}

static gboolean
set_authority (SSL_CTX *context, const gchar *ca_file, GError **error)
{
  if (!ca_file)
    return SSL_CTX_set_default_verify_paths (context) == 1 || fail_tls (error, "certificates", "the system's folder");
  return SSL_CTX_load_verify_locations (context, ca_file, NULL) == 1 || fail_tls (error, "ca-file", ca_file);
}

static gboolean
set_certificate (SSL_CTX *context, const gchar *cert_file, const gchar *key_file, GError **error)
{
  if (!cert_file)
    return TRUE;
  if (SSL_CTX_use_certificate_chain_file (context, cert_file) != 1)
    return fail_tls (error, "cert-file", cert_file);
  if (SSL_CTX_use_PrivateKey_file (context, key_file, SSL_FILETYPE_PEM) != 1)
    return fail_tls (error, "key-file", key_file);
  return SSL_CTX_check_private_key (context) == 1 || fail_tls (error, "key of cert-file", key_file);
}

static gboolean
set_host (SSL_CTX *context, const gchar *host, GError **error)
{
  X509_VERIFY_PARAM *param = SSL_CTX_get0_param (context);

  X509_VERIFY_PARAM_set_hostflags (param, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return (g_hostname_is_ip_address (host) ? X509_VERIFY_PARAM_set1_ip_asc (param, host)
                                          : X509_VERIFY_PARAM_set1_host (param, host, 0))
             == 1
         || fail_tls (error, "host", host);
}

/* Returns a context for connections to the options' host, whose certificate must be for it. Where it is not trusted,
 * *distrust is set to the reason, X509_V_…, by the thread that connects. */
static SSL_CTX *
make_context (const GstCcaMqttOptions *options, int *distrust, GError **error)
{
  SSL_CTX *context;

  ERR_clear_error ();
  context = SSL_CTX_new (TLS_client_method ());
  if (!context) {
    fail_tls (error, "TLS", "OpenSSL");
    return NULL;
  }
  SSL_CTX_set_min_proto_version (context, TLS1_2_VERSION);
  SSL_CTX_set_verify (context, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_cert_verify_callback (context, verify, distrust);
  SSL_CTX_set_default_passwd_cb (context, no_password);
  if (set_authority (context, options->ca_file, error)
      && set_certificate (context, options->cert_file, options->key_file, error)
      && set_host (context, options->host, error))
    return context;
  SSL_CTX_free (context);
  return NULL;
}

/* --- Making ------------------------------------------------------------------------------------------ */

static gboolean
set_tls (GstCcaMqttClient *self, const GstCcaMqttOptions *options, GError **error)
{
  SSL_CTX *context = make_context (options, &self->distrust, error);

  if (!context)
    return FALSE;
  mosquitto_int_option (self->mosquitto, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0);
  mosquitto_void_option (self->mosquitto, MOSQ_OPT_SSL_CTX, context);
  SSL_CTX_free (context);
  return TRUE;
}

static gboolean
set_options (GstCcaMqttClient *self, const GstCcaMqttOptions *options, GError **error)
{
  struct mosquitto *mosquitto = self->mosquitto;
  int rc = mosquitto_int_option (mosquitto, MOSQ_OPT_SEND_MAXIMUM, options->max_in_flight);

  mosquitto_int_option (mosquitto, MOSQ_OPT_TCP_NODELAY, 1);
  if (rc == MOSQ_ERR_SUCCESS && options->user)
    rc = mosquitto_username_pw_set (mosquitto, options->user, options->password);
  if (rc == MOSQ_ERR_SUCCESS && options->will_topic)
    rc = mosquitto_will_set (mosquitto, options->will_topic, strlen (options->will), options->will, 1, true);
  if (rc != MOSQ_ERR_SUCCESS)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "libmosquitto refuses user and password: %s",
                 mosquitto_strerror (rc));
  return rc == MOSQ_ERR_SUCCESS && (!options->tls || set_tls (self, options, error));
}

/* Makes one, and restores the process's handling of SIGPIPE, which libmosquitto ignores. */
static struct mosquitto *
make_mosquitto (const GstCcaMqttOptions *options, gpointer data)
{
  static gsize is_initialized;
  struct mosquitto *mosquitto;
  struct sigaction action;

  if (g_once_init_enter (&is_initialized)) {
    mosquitto_lib_init ();
    g_once_init_leave (&is_initialized, 1);
  }
  sigaction (SIGPIPE, NULL, &action);
  mosquitto = mosquitto_new (options->client_id, options->clean_session, data);
  sigaction (SIGPIPE, &action, NULL);
  return mosquitto;
}

static void
destroy (GstCcaMqttClient *self)
{
  mosquitto_destroy (self->mosquitto);
  g_mutex_clear (&self->lock);
  g_free (self->trouble);
  g_free (self->host);
  g_free (self);
}

GstCcaMqttClient *
gst_cca_mqtt_client_new (const GstCcaMqttOptions *options, const GstCcaMqttCallbacks *callbacks, gpointer data,
                         GError **error)
{
  GstCcaMqttClient *self = g_new0 (GstCcaMqttClient, 1);

  self->host = g_strdup (options->host);
  self->port = options->port;
  self->keep_alive = options->keep_alive;
  self->tls = options->tls;
  self->callbacks = *callbacks;
  self->data = data;
  g_mutex_init (&self->lock);
  self->mosquitto = make_mosquitto (options, self);
  if (!self->mosquitto) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "libmosquitto refuses \"%s\" as client-id",
                 options->client_id);
  } else if (set_options (self, options, error)) {
    mosquitto_connect_with_flags_callback_set (self->mosquitto, on_connect);
    mosquitto_disconnect_callback_set (self->mosquitto, on_disconnect);
    mosquitto_publish_callback_set (self->mosquitto, on_publish);
    mosquitto_log_callback_set (self->mosquitto, on_log);
    return self;
  }
  destroy (self);
  return NULL;
}

void
gst_cca_mqtt_client_free (GstCcaMqttClient *self)
{
  gboolean is_abandoned;

  if (!self)
    return;
  g_mutex_lock (&self->lock);
  is_abandoned = self->is_abandoned = self->phase == PHASE_OPENING && !self->is_opened;
  g_mutex_unlock (&self->lock);
  if (!is_abandoned)
    destroy (self);
}

/* --- Connecting -------------------------------------------------------------------------------------- */

static gpointer
open_connection (gpointer data)
{
  GstCcaMqttClient *self = data;
  gboolean is_abandoned;
  sigset_t signals;
  int rc, code;

  sigemptyset (&signals);
  sigaddset (&signals, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &signals, NULL);
  rc = mosquitto_connect (self->mosquitto, self->host, self->port, self->keep_alive);
  code = errno;

  g_mutex_lock (&self->lock);
  self->opened_rc = rc;
  self->opened_errno = code;
  self->is_opened = TRUE;
  is_abandoned = self->is_abandoned;
  if (!is_abandoned)
    self->callbacks.wake (self->data);
  g_mutex_unlock (&self->lock);
  if (is_abandoned)
    destroy (self);
  return NULL;
}

void
gst_cca_mqtt_client_connect (GstCcaMqttClient *self)
{
  g_autoptr (GError) error = NULL;
  GThread *thread;

  if (self->phase == PHASE_OPENING)
    return; /* still */
  self->phase = PHASE_OPENING;
  self->patience_end = g_get_monotonic_time () + PATIENCE;
  self->refusal = 0;
  self->distrust = X509_V_OK;
  self->is_opened = FALSE;
  g_clear_pointer (&self->trouble, g_free);
  thread = g_thread_try_new ("ccamqtt-connect", open_connection, self, &error);
  if (thread)
    g_thread_unref (thread);
  else
    tell_lost (self, FALSE, "Cannot connect to", error->message);
}

/* Takes the client back once the thread's call has returned. */
static void
take_opened (GstCcaMqttClient *self)
{
  gboolean is_opened;

  g_mutex_lock (&self->lock);
  is_opened = self->is_opened;
  g_mutex_unlock (&self->lock);
  if (!is_opened)
    return;
  if (self->opened_rc != MOSQ_ERR_SUCCESS) {
    lose (self, self->opened_rc, self->opened_errno);
    return;
  }
  self->phase = PHASE_GREETING;
  self->patience_end = g_get_monotonic_time () + PATIENCE;
}

void
gst_cca_mqtt_client_abort (GstCcaMqttClient *self)
{
  shutdown (mosquitto_socket (self->mosquitto), SHUT_RDWR);
}

static void
check_patience (GstCcaMqttClient *self)
{
  if (self->patience_end == 0 || g_get_monotonic_time () < self->patience_end)
    return;
  self->patience_end = 0;
  if (self->phase == PHASE_OPENING) {
    g_autofree gchar *reason = g_strdup_printf ("No answer from %s:%u yet", self->host, self->port);

    self->callbacks.disconnected (self->data, FALSE, reason); /* keeps trying */
  } else if (self->phase == PHASE_GREETING) {
    gst_cca_mqtt_client_abort (self);
    tell_lost (self, FALSE, "Cannot connect to", "no answer to the greeting");
  }
}

void
gst_cca_mqtt_client_disconnect (GstCcaMqttClient *self)
{
  if (self->phase != PHASE_CONNECTED)
    return;
  self->phase = PHASE_LEAVING;
  mosquitto_disconnect (self->mosquitto);
}

gboolean
gst_cca_mqtt_client_is_idle (const GstCcaMqttClient *self)
{
  return self->phase == PHASE_IDLE;
}

/* --- Publishing -------------------------------------------------------------------------------------- */

gboolean
gst_cca_mqtt_client_publish (GstCcaMqttClient *self, const gchar *topic, GBytes *payload, int qos, gboolean retain,
                             int *id, const gchar **reason)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (payload, &size);
  const int rc = size > G_MAXINT ? MOSQ_ERR_PAYLOAD_SIZE
                                 : mosquitto_publish (self->mosquitto, id, topic, (int) size, data, qos, retain);

  switch (rc) {
    case MOSQ_ERR_INVAL:
    case MOSQ_ERR_MALFORMED_UTF8:
    case MOSQ_ERR_PAYLOAD_SIZE:
    case MOSQ_ERR_OVERSIZE_PACKET:
    case MOSQ_ERR_QOS_NOT_SUPPORTED: *reason = mosquitto_strerror (rc); return FALSE;
    default: return TRUE; /* if the connection is lost, libmosquitto keeps the message and reports the loss next */
  }
}

/* --- Polling ----------------------------------------------------------------------------------------- */

static gboolean
has_socket (const GstCcaMqttClient *self)
{
  return self->phase >= PHASE_GREETING && mosquitto_socket (self->mosquitto) >= 0;
}

/* Reads and writes as the socket is ready. Returns 0, or an error that disconnected() was not called for. */
static int
serve (GstCcaMqttClient *self, short events)
{
  int rc = MOSQ_ERR_SUCCESS;

  if (events & (POLLIN | POLLHUP | POLLERR | POLLRDHUP))
    rc = mosquitto_loop_read (self->mosquitto, 1);
  /* The greeting waits for the TLS handshake, which reading completes. */
  if (rc == MOSQ_ERR_SUCCESS && has_socket (self) && (events & POLLOUT || self->phase == PHASE_GREETING))
    rc = mosquitto_loop_write (self->mosquitto, 1);
  if (rc == MOSQ_ERR_SUCCESS && has_socket (self))
    rc = mosquitto_loop_misc (self->mosquitto);
  /* libmosquitto misses a close during the handshake. */
  if (rc == MOSQ_ERR_SUCCESS && self->phase == PHASE_GREETING && events & POLLRDHUP)
    rc = MOSQ_ERR_CONN_LOST;
  return rc;
}

static int
poll_time (const GstCcaMqttClient *self, int timeout_ms)
{
  const gint64 left = self->patience_end ? (self->patience_end - g_get_monotonic_time ()) / 1000 + 1 : timeout_ms;

  return CLAMP (left, 0, timeout_ms);
}

void
gst_cca_mqtt_client_poll (GstCcaMqttClient *self, int wake_fd, int timeout_ms)
{
  struct pollfd fds[2] = { { .fd = wake_fd, .events = POLLIN }, { .fd = -1, .events = POLLIN | POLLRDHUP } };

  if (has_socket (self)) {
    fds[1].fd = mosquitto_socket (self->mosquitto);
    if (mosquitto_want_write (self->mosquitto) && !(self->tls && self->phase == PHASE_GREETING))
      fds[1].events |= POLLOUT;
  }
  poll (fds, G_N_ELEMENTS (fds), poll_time (self, timeout_ms));
  if (self->phase == PHASE_OPENING)
    take_opened (self);
  else if (has_socket (self)) {
    const int rc = serve (self, fds[1].revents);

    if (rc != MOSQ_ERR_SUCCESS)
      lose (self, rc, errno);
  } else if (self->phase >= PHASE_GREETING) {
    lose (self, MOSQ_ERR_CONN_LOST, 0);
  }
  if (self->phase == PHASE_CONNECTED)
    self->patience_end = 0;
  check_patience (self);
}

/* --- Topics ------------------------------------------------------------------------------------------ */

gboolean
gst_cca_mqtt_is_topic_char (gunichar c)
{
  return c != '+' && c != '#' && c != '/' && !g_unichar_iscntrl (c);
}

gboolean
gst_cca_mqtt_is_topic (const gchar *topic)
{
  if (!topic[0] || strlen (topic) > G_MAXUINT16 || !g_utf8_validate (topic, -1, NULL))
    return FALSE;
  for (const gchar *c = topic; *c; c = g_utf8_next_char (c))
    if (g_unichar_iscntrl (g_utf8_get_char (c)))
      return FALSE;
  return mosquitto_pub_topic_check (topic) == MOSQ_ERR_SUCCESS;
}
