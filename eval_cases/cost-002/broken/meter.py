import resource


def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
