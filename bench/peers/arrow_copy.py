"""Reads a table and writes it again with Arrow alone, on one thread; prints the seconds it took.

    arrow_copy.py IN OUT     both .csv (every column as text) or both .parquet
"""
import sys
import time

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as parquet

BATCH = 65536


def copy_csv(source, target):
    with open(source, encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split(",")
    reader = csv.open_csv(
        source, read_options=csv.ReadOptions(use_threads=False),
        convert_options=csv.ConvertOptions(column_types={name: pa.string() for name in names}))
    with csv.CSVWriter(target, reader.schema,
                       write_options=csv.WriteOptions(quoting_style="none")) as writer:
        for batch in reader:
            writer.write_batch(batch)


def copy_parquet(source, target):
    file = parquet.ParquetFile(source)
    codec = file.metadata.row_group(0).column(0).compression
    with parquet.ParquetWriter(target, file.schema_arrow, compression=codec) as writer:
        for batch in file.iter_batches(BATCH, use_threads=False):
            writer.write_batch(batch)


if __name__ == "__main__":
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    start = time.perf_counter()
    (copy_parquet if sys.argv[1].endswith(".parquet") else copy_csv)(sys.argv[1], sys.argv[2])
    print(time.perf_counter() - start)
