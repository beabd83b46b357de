/* gst-cca: ccakafkasink, publishes to Kafka
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_KAFKA_SINK_H
#define GST_CCA_KAFKA_SINK_H

#include "gstccabrokersink.h"

G_BEGIN_DECLS

#define GST_TYPE_CCA_KAFKA_SINK (gst_cca_kafka_sink_get_type ())
#define GST_CCA_KAFKA_SINK(object) ((GstCcaKafkaSink *) (object))

typedef struct _GstCcaKafkaSink GstCcaKafkaSink;
typedef struct
{
  GstCcaBrokerSinkClass parent_class;
} GstCcaKafkaSinkClass;

GType gst_cca_kafka_sink_get_type (void);

GST_ELEMENT_REGISTER_DECLARE (ccakafkasink);

G_END_DECLS

#endif
