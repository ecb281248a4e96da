/*
 * What gets the token of an embed. Loaded when the first one needs it.
 */
export { PageToken } from '../../client/page-token.ts';
export { hostOptions } from '../settings/host-options.ts';
