import { randomUUID } from 'node:crypto';
import type { S3Config } from '../../src/config/config.ts';
import { Bucket } from '../../src/storage/s3/bucket.ts';

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run this with npm run test:s3.`);
  return value;
}

/** A new bucket on the S3 server of the tests. */
export async function newBucket(): Promise<S3Config> {
  const config: S3Config = {
    endpoint: setting('TEST_S3_ENDPOINT'),
    bucket: `clips-${randomUUID()}`,
    region: 'us-east-1',
    accessKeyId: setting('TEST_S3_ACCESS_KEY_ID'),
    secretAccessKey: setting('TEST_S3_SECRET_ACCESS_KEY'),
  };
  await new Bucket(config).call('PUT', '');
  return config;
}
