/**
 * Makes the fixtures that many test files copy, so that no two of them make them at the same time.
 */
import { keptFootage } from 'clip-testkit/footage';
import { keptDatabase } from 'clip-testkit/prepared-database';
import { postgresImage } from 'clip-testkit/postgres-image';

await postgresImage();
await keptDatabase();
await keptFootage();
