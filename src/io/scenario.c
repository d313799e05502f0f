int wy_io_placeholder;
