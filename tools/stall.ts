export interface StallLimits {
  /** A command that prints nothing for this long has stopped ... */
  readonly silentMs: number;
  /**
   * ... if it uses less processor time than this meanwhile: a command that waits in vain still
   * polls a little.
   */
  readonly busySeconds: number;
  /** A command that prints nothing for this long has stopped, whatever it computes: in a loop. */
  readonly busySilentMs: number;
}

export const usualLimits: StallLimits = {
  silentMs: 10 * 60_000,
  busySeconds: 20,
  busySilentMs: 20 * 60_000,
};

/** What can be observed of a command from outside. */
export interface Seen {
  /** Milliseconds on a monotonic clock. */
  readonly now: number;
  /** The length of its output so far. */
  readonly said: number;
  /** Its processor seconds so far. */
  readonly seconds: number;
}

/** Decides, look by look, whether a command has stopped. */
export function stallWatch({ silentMs, busySeconds, busySilentMs }: StallLimits, first: Seen) {
  let printed = first;
  let worked = first;
  return (seen: Seen): boolean => {
    if (seen.said !== printed.said) printed = worked = seen;
    if (seen.seconds - worked.seconds >= busySeconds) worked = seen;
    return seen.now - worked.now > silentMs || seen.now - printed.now > busySilentMs;
  };
}
