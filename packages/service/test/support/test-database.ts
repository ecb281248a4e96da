import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of its own on the server of `TEST_DATABASE_URL`, which may create databases. */
export async function testDatabase() {
  const address = process.env['TEST_DATABASE_URL'];
  assert.ok(address, 'TEST_DATABASE_URL is set');
  const name = `clip_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client(address);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async close() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
