/** The ready-made single file. */
import '../upgrade/index.ts';

export * from '../index.ts';
