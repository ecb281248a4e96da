export interface StallLimits {
  /** A command that says nothing for so long has stopped ... */
  readonly silentMs: number;
  /** ... if it computes less than this in that time: what waits in vain polls a little. */
  readonly busySeconds: number;
}

export const usualLimits: StallLimits = { silentMs: 10 * 60_000, busySeconds: 20 };

/** What can be seen of a command from outside. */
export interface Seen {
  /** Milliseconds on a clock that only goes on. */
  readonly now: number;
  /** How much it has said so far. */
  readonly said: number;
  /** Processor seconds that it has taken so far. */
  readonly seconds: number;
}

/** Tells, look by look, whether a command has stopped. */
export const stallWatch = ({ silentMs, busySeconds }: StallLimits, first: Seen) => {
  let mark = first;
  return (seen: Seen): boolean => {
    if (seen.said !== mark.said || seen.seconds - mark.seconds >= busySeconds) mark = seen;
    return seen.now - mark.now > silentMs;
  };
};
