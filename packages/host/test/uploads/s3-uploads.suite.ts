/** Run by `npm run test:s3`, on an S3 server of its own. */
import { randomUUID } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { s3UploadsSuite } from '../../../../test/support/s3-uploads-suite.ts';

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run this with npm run test:s3.`);
  return value;
}

s3UploadsSuite('a bucket of Swift', async () => {
  const client = new AwsClient({
    accessKeyId: setting('TEST_S3_ACCESS_KEY_ID'),
    secretAccessKey: setting('TEST_S3_SECRET_ACCESS_KEY'),
    service: 's3',
    region: 'us-east-1',
  });
  const bucketUrl = `${setting('TEST_S3_ENDPOINT')}/uploads-${randomUUID()}`;
  const made = await client.fetch(bucketUrl, { method: 'PUT' });
  if (!made.ok) throw new Error(`The bucket was not made: ${made.status}`);
  return { client, bucketUrl };
});
