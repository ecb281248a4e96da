/** States that a person can go back to, and forward again. */
export interface History<State> {
  past: readonly State[];
  present: State;
  future: readonly State[];
}

/** So many steps can be undone. */
const maxSteps = 200;

export const historyFrom = <State>(present: State): History<State> => ({
  past: [],
  present,
  future: [],
});

export const done = <State>({ past, present }: History<State>, next: State): History<State> => ({
  past: [...past, present].slice(-maxSteps),
  present: next,
  future: [],
});

export function undone<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  if (past.length === 0) return history;
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future] };
}

export function redone<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  if (future.length === 0) return history;
  return { past: [...past, present], present: future[0]!, future: future.slice(1) };
}
