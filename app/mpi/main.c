/* `mpirun withy-mpi sweep SWEEP.yaml`: what `withy sweep` does, with the ranks of an MPI job as its processes. Rank 0
 * hands out points, takes the rows and writes the one result, with plain HDF5; the others compute. A program of its
 * own, so that the command needs no MPI. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "mpi_workers.h"

extern const command command_sweep;

int main(int argc, char **argv) {
    int rank = 0, code = EXIT_DONE;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) {
        fputs("withy-mpi: MPI does not start\n", stderr);
        return EXIT_FAILED;
    }
    wy_lab_register();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        mpi_work();
    } else {
        if (argc < 2 || strcmp(argv[1], "sweep") != 0) {
            fputs("usage: mpirun withy-mpi sweep SWEEP.yaml [...]   (see `withy sweep --help`; --jobs is the number of "
                  "ranks)\n",
                  stderr);
            code = EXIT_USAGE;
        } else {
            code = command_sweep.run(&command_sweep, argc - 1, argv + 1);
        }
        mpi_dismiss();
    }
    MPI_Finalize();
    return code;
}
