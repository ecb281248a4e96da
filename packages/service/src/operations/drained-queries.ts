import type { Db } from '../db/schema.ts';
import { readSetting, writeSetting } from '../db/settings.ts';

const setting = 'drained';

/** Whether the operator has told all workers to take no jobs. */
export const isDrained = async (db: Db): Promise<boolean> =>
  ((await readSetting(db, setting)) as { drained: boolean } | undefined)?.drained ?? false;

export const setDrained = (db: Db, drained: boolean): Promise<void> =>
  writeSetting(db, setting, { drained });
