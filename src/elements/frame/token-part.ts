/*
 * Requests the token of an embed, and the link of a private clip. Loaded when the first element
 * needs one.
 */
export { PageToken } from '../../client/page-token.ts';
export { readHostOptions } from '../settings/host-options.ts';
export { ClipLink } from './clip-link.ts';
