/* gst-cca: the settings of a Kafka producer
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <librdkafka/rdkafka.h>

#include "gstccabrokersink.h"

/* Which brokers must have a record before it counts as delivered; the values are the protocol's. */
typedef enum
{
  GST_CCA_KAFKA_ACKS_ALL = -1,
  GST_CCA_KAFKA_ACKS_NONE = 0,
  GST_CCA_KAFKA_ACKS_LEADER = 1,
} GstCcaKafkaAcks;

typedef struct
{
  const gchar *bootstrap_servers;
  GstCcaKafkaAcks acks;
  const GstStructure *options; /* further settings of librdkafka's; or NULL */
} GstCcaKafkaSettings;

/* Returns a configuration without callbacks, which the caller destroys or hands to rd_kafka_new(), or NULL with an
 * error that names the setting. Secrets are not in the error. */
rd_kafka_conf_t *gst_cca_kafka_settings_new (const GstCcaBrokerSettings *broker, const GstCcaKafkaSettings *kafka,
                                             GError **error);

/* Returns a copy of options without passwords and keys, or NULL for NULL. */
GstStructure *gst_cca_kafka_settings_without_secrets (const GstStructure *options);
