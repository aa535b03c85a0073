"""The words of Recollect as frozen values. Pure: nothing here reads, waits or decides."""
