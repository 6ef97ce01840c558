# cmake -Dfile=X -P pack.cmake: X.zst
file(ARCHIVE_CREATE OUTPUT "${file}.zst" PATHS "${file}" FORMAT raw COMPRESSION Zstd
     COMPRESSION_LEVEL 9)
