// The build bundles the library into this file: scripts/bundled-library.ts.
export { DetailedError, Upload } from 'tus-js-client';
