"""A Dask cluster for the tests of this folder."""

import pytest


@pytest.fixture(scope="module")
def address():
    """The address of a cluster with two workers."""
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address
