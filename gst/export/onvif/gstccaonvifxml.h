/* gst-cca: writes XML, by libxml2
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_ONVIF_XML_H
#define GST_CCA_ONVIF_XML_H

#include <gst/gst.h>
#include <libxml/xmlwriter.h>

G_BEGIN_DECLS

/* A document that is being written. Once something fails, for want of memory, all calls do nothing and
 * gst_cca_onvif_xml_end() says so. One thread. */
typedef struct
{
  xmlBufferPtr text;
  xmlTextWriterPtr writer;
  gboolean failed;
} GstCcaOnvifXml;

/* Begins a document in UTF-8. Whatever comes of it, gst_cca_onvif_xml_end() must be called. */
void gst_cca_onvif_xml_begin (GstCcaOnvifXml *xml);

/* Ends the document and returns it in a new buffer, or NULL if something failed. */
GstBuffer *gst_cca_onvif_xml_end (GstCcaOnvifXml *xml);

/* Opens an element, and closes the last one that is open. */
void gst_cca_onvif_xml_open (GstCcaOnvifXml *xml, const gchar *name);
void gst_cca_onvif_xml_close (GstCcaOnvifXml *xml);

/* Give the element that was just opened an attribute. Characters that XML cannot hold, and bytes that are not UTF-8,
 * become U+FFFD. Numbers are xs:float in nine digits, which tell all of them apart, in any locale. */
void gst_cca_onvif_xml_text (GstCcaOnvifXml *xml, const gchar *name, const gchar *value);
void gst_cca_onvif_xml_number (GstCcaOnvifXml *xml, const gchar *name, gdouble value);
void gst_cca_onvif_xml_integer (GstCcaOnvifXml *xml, const gchar *name, guint64 value);

/* Writes the text of the element that is open: UTF-8 without characters that XML escapes. */
void gst_cca_onvif_xml_content (GstCcaOnvifXml *xml, const gchar *content);

G_END_DECLS

#endif
