import type { ServiceCallOptions } from 'clip-kit/client';
import type { Attempt } from '../stores/store.ts';
import type { Subject } from '../http/upstream-problem.ts';

/** What the service says about an attempt whose outcome is not known. */
export interface AttemptSearch<T> {
  readonly found: T | null;
  /** The service keeps attempt keys: it knows for certain, and starts nothing twice for a key. */
  readonly keepsKeys: boolean;
  /** Without a find: whether the service has shown everything that the attempt can have started. */
  readonly isCertain: boolean;
}

/** A call to the service that costs money: the start of an export, or of a task. */
export interface PaidCall<T> {
  /** What a 404 of the service means. */
  readonly subject: Subject;
  /** The request as one canonical string. It is stored with the attempt. */
  readonly request: string;
  /** Whether a stored request is this one. */
  isSameRequest(stored: string): boolean;
  /** Sends the start. `complete` makes the answer for the page, and never fails. */
  send(options: ServiceCallOptions): Promise<{ readonly id: string; complete(): Promise<T> }>;
  read(id: string, options: ServiceCallOptions): Promise<T>;
  /** `key`: what to ask a service that keeps keys; null if it may have forgotten it. */
  search(
    attempt: Attempt,
    key: string | null,
    options: ServiceCallOptions,
  ): Promise<AttemptSearch<T>>;
}
