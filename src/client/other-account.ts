import { HttpError } from './errors.ts';

/** The host has refused a call of this page's account, because another one is signed in. */
export const isOtherAccount = (cause: unknown): boolean =>
  cause instanceof HttpError && cause.problem?.code === 'account-changed';
