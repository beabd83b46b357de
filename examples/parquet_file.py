# gst-cca: writes a Parquet file completely or not at all, even in a power cut
# SPDX-License-Identifier: LGPL-2.1-or-later

import os
import socket

import pyarrow.parquet as pq


def replace(path, table):
    """Writes a table to a file. Readers see the old file or the new one. A writer that dies leaves a file whose name
    begins with a dot, which data sets ignore."""
    temporary = path.with_name(f".{path.name}.{socket.gethostname()}.{os.getpid()}")
    with open(temporary, "wb") as file:
        pq.write_table(table, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
