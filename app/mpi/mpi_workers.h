/* Ranks of an MPI job as the processes of a sweep. Rank 0 calls workers_run (see app/cli/workers.h), the others
 * mpi_work. */
#ifndef WITHY_MPI_WORKERS_H
#define WITHY_MPI_WORKERS_H

/* What a rank other than 0 does: waits for a sweep, runs the points it is given, until it is dismissed. */
void mpi_work(void);

/* Rank 0: sends the others home, those too that never got a sweep. */
void mpi_dismiss(void);

#endif
