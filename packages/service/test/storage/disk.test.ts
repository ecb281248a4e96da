import { join } from 'node:path';
import { diskStorage } from '../../src/storage/disk.ts';
import { storageSuite } from '../support/storage-suite.ts';

storageSuite('storage on disk', async (directory) => diskStorage(join(directory, 'files')));
