/** States of a framed page. `authorizing` is entered only where a token is needed first. */
export type FrameStatus = 'idle' | 'authorizing' | 'loading' | 'ready' | 'error';

export interface FrameState {
  readonly status: FrameStatus;
  /** Number of the load that the status belongs to; what comes of an older load changes nothing. */
  readonly load: number;
}

export type FrameEvent =
  | { readonly type: 'begin'; readonly authorize: boolean }
  | { readonly type: 'authorized' | 'loaded' | 'failed'; readonly load: number }
  | { readonly type: 'reset' };

export const frameStart: FrameState = { status: 'idle', load: 0 };

const from: Readonly<Record<'authorized' | 'loaded' | 'failed', readonly FrameStatus[]>> = {
  authorized: ['authorizing'],
  loaded: ['loading'],
  failed: ['authorizing', 'loading'],
};
const to = { authorized: 'loading', loaded: 'ready', failed: 'error' } as const;

/** The next state; the very same object where the event changes nothing (an older load, or ready after an error). */
export const frameNext = (state: FrameState, event: FrameEvent): FrameState => {
  if (event.type === 'reset') return { status: 'idle', load: state.load + 1 };
  if (event.type === 'begin') {
    return { status: event.authorize ? 'authorizing' : 'loading', load: state.load + 1 };
  }
  return event.load === state.load && from[event.type].includes(state.status)
    ? { ...state, status: to[event.type] }
    : state;
};
