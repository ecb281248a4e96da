/**
 * Makes the fixtures that many test files copy, so that no two of them make them at the same time.
 */
import { keptFootage } from '../../packages/service/test/support/footage.ts';
import { keptDatabase } from '../../packages/service/test/support/prepared-database.ts';
import { postgresImage } from './postgres-image.ts';

await postgresImage();
await keptDatabase();
await keptFootage();
