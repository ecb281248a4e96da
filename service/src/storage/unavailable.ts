/** The object storage does not answer, or answers that it cannot at the moment. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

/** The object storage refuses what it is asked: its settings do not fit. */
export class StorageRefused extends Error {
  override name = 'StorageRefused';
}

/** Whether an error, or its cause, means that the storage is away, maybe for a moment. */
export function isStorageGone(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof StorageUnavailable) return true;
  }
  return false;
}
