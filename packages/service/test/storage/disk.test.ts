import { join } from 'node:path';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { storageSuite } from '../support/storage-suite.ts';

storageSuite('storage on disk', async (directory) => createDiskStorage(join(directory, 'files')));
