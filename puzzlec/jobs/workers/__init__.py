"""The workers of a job: threads, processes of this machine, or the workers of a Dask cluster.

All of them take :class:`puzzlec.jobs.work_unit.Work` and return one :class:`Returned` for each, in any order. If a
worker is lost, its work unit is unchanged and gets another time slice.
"""

from puzzlec.jobs.workers.protocol import Losses, Returned, Workers
from puzzlec.jobs.workers.starting import start

__all__ = ["Losses", "Returned", "Workers", "start"]
