/* gst-cca: a client's side of TLS, by OpenSSL
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_TLS_CONTEXT_H
#define GST_CCA_TLS_CONTEXT_H

#include <glib.h>
#include <openssl/ssl.h>

G_BEGIN_DECLS

/* Returns a context for connections to a host, by name or address, whose certificate must be for it and come from
 * ca_file (NULL: from the system's authorities). cert_file and key_file are the client's own, or NULL. All files are
 * PEM. Where a certificate is not trusted, *distrust is set to the reason, X509_V_…, by the thread that connects. The
 * caller frees it with SSL_CTX_free(). NULL and an error that names the file if one cannot be used. */
SSL_CTX *gst_cca_tls_context_new (const gchar *host, const gchar *ca_file, const gchar *cert_file,
                                  const gchar *key_file, int *distrust, GError **error);

G_END_DECLS

#endif
