/** The object storage does not answer, or answers that it cannot at the moment. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

/** The object storage refuses what it is asked: its settings do not fit. */
export class StorageRefused extends Error {
  override name = 'StorageRefused';
}

/**
 * The object storage refuses whatever it is asked: the bucket is missing, or the keys do not fit. A
 * server that has just started may say so for a moment.
 */
export class StorageClosed extends StorageRefused {
  override name = 'StorageClosed';
}

/**
 * Whether an error, or its cause, means that the storage is away or closed, maybe for a moment: it
 * says nothing of the work that needs it.
 */
export function isStorageGone(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof StorageUnavailable || at instanceof StorageClosed) return true;
  }
  return false;
}
