import type { Export } from '../contract/export.ts';
import { mayStart, type ExportStatus } from './export-status.ts';

export interface ExportState<Failure> {
  readonly status: ExportStatus;
  /** The last known Export Object; null before the first answer. */
  readonly export: Export | null;
  /** Why it is `error`, `limit` or `unknown`, or why no answers come while `processing`. */
  readonly error: Failure | null;
}

export type ExportEvent<Failure> =
  /** `again`: also after a ready export, which is of an older revision. */
  | { readonly type: 'start'; readonly again?: boolean }
  /** An existing export is watched from now on; its object may not be known yet. */
  | { readonly type: 'adopt'; readonly export: Export | null }
  | { readonly type: 'updated'; readonly export: Export; readonly failure: Failure }
  | {
      readonly type: 'refused';
      readonly failure: Failure;
      readonly status: 'error' | 'limit' | 'signed-out';
    }
  | { readonly type: 'lost'; readonly failure: Failure }
  | { readonly type: 'stalled'; readonly failure: Failure | null }
  | { readonly type: 'reset' };

export const exportStart: ExportState<never> = {
  status: 'idle',
  export: null,
  error: null,
};

/** The next state; the same object if the event changes nothing. */
export function exportNext<Failure>(
  state: ExportState<Failure>,
  event: ExportEvent<Failure>,
): ExportState<Failure> {
  switch (event.type) {
    case 'start':
      return mayStart(state.status) || state.status === 'error' || event.again
        ? { ...exportStart, status: 'starting' }
        : state;
    case 'adopt':
      return { ...exportStart, status: 'processing', export: event.export };
    case 'updated':
      // A late answer never changes a settled export.
      if (state.status !== 'processing') return state;
      return {
        ...exportStart,
        status: event.export.status,
        export: event.export,
        error: event.export.status === 'error' ? event.failure : null,
      };
    case 'refused':
      return { ...state, status: event.status, error: event.failure };
    case 'lost':
      return state.status === 'unknown'
        ? state
        : { ...state, status: 'unknown', error: event.failure };
    case 'stalled':
      return state.status === 'processing' && state.error !== event.failure
        ? { ...state, error: event.failure }
        : state;
    case 'reset':
      return exportStart;
  }
}
