import { textHash } from '../../flow/text-hash.ts';

/** The header with the tag of the account that an answer is for. */
export const accountHeader = 'Clip-Account';

/**
 * A short tag of a user, by which a browser tells its accounts apart. It is a hash, so that the id
 * itself is not stored there.
 */
export const accountTag = (hostUser: string): string => textHash(`account ${hostUser}`);
