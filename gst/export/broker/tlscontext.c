/* gst-cca: a client's side of TLS, by OpenSSL
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "tlscontext.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>

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
fail (GError **error, const gchar *what, const gchar *path)
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
    return SSL_CTX_set_default_verify_paths (context) == 1 || fail (error, "certificates", "the system's folder");
  return SSL_CTX_load_verify_locations (context, ca_file, NULL) == 1 || fail (error, "ca-file", ca_file);
}

static gboolean
set_certificate (SSL_CTX *context, const gchar *cert_file, const gchar *key_file, GError **error)
{
  if (!cert_file)
    return TRUE;
  if (SSL_CTX_use_certificate_chain_file (context, cert_file) != 1)
    return fail (error, "cert-file", cert_file);
  if (SSL_CTX_use_PrivateKey_file (context, key_file, SSL_FILETYPE_PEM) != 1)
    return fail (error, "key-file", key_file);
  return SSL_CTX_check_private_key (context) == 1 || fail (error, "key of cert-file", key_file);
}

static gboolean
set_host (SSL_CTX *context, const gchar *host, GError **error)
{
  X509_VERIFY_PARAM *param = SSL_CTX_get0_param (context);

  X509_VERIFY_PARAM_set_hostflags (param, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return (g_hostname_is_ip_address (host) ? X509_VERIFY_PARAM_set1_ip_asc (param, host)
                                          : X509_VERIFY_PARAM_set1_host (param, host, 0))
             == 1
         || fail (error, "host", host);
}

SSL_CTX *
gst_cca_tls_context_new (const gchar *host, const gchar *ca_file, const gchar *cert_file, const gchar *key_file,
                         int *distrust, GError **error)
{
  SSL_CTX *context;

  ERR_clear_error ();
  context = SSL_CTX_new (TLS_client_method ());
  if (!context) {
    fail (error, "TLS", "OpenSSL");
    return NULL;
  }
  SSL_CTX_set_min_proto_version (context, TLS1_2_VERSION);
  SSL_CTX_set_verify (context, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_cert_verify_callback (context, verify, distrust);
  SSL_CTX_set_default_passwd_cb (context, no_password);
  if (set_authority (context, ca_file, error) && set_certificate (context, cert_file, key_file, error)
      && set_host (context, host, error))
    return context;
  SSL_CTX_free (context);
  return NULL;
}
