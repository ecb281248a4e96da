/**
 * Whether tests use all of their footage and all rounds (`npm run test:long`), or only as much as
 * shows each behaviour (`npm test`).
 */
export const longRun = process.env['TEST_LONG'] === '1';

/** Of a test that only `npm run test:long` runs. */
export const inLongRun = { skip: longRun ? false : 'in npm run test:long' };
