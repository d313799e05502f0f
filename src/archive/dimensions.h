/* Dimension scales of HDF5, by which xarray and netCDF know what the axes of a dataset are. */
#ifndef WY_DIMENSIONS_H
#define WY_DIMENSIONS_H

#include <stdbool.h>

#include "archive/h5.h"

/* Makes a dataset the scale of the first dimension of all others. */
bool wy_dimensions_axis(hid_t set);

/* Says which scales the dimensions of a dataset have: `axis` (a dataset of the file's root; may be NULL) the first,
 * and the others one for each size, which is made where it is not there: the dataset "n3" of the root stands for a
 * dimension of 3. */
bool wy_dimensions_of(hid_t file, hid_t set, const char *axis);

#endif
