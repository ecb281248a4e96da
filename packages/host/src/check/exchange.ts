/** One request of the check, as it is sent. */
export interface Sent {
  readonly method: string;
  /** The whole URL. The path is sent exactly as written here. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The answer. `status` is 0 if there was no answer; `failure` then says why. */
export interface Received {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most the first 256 kB. */
  readonly text: string;
  readonly failure: string | null;
  /** From sending to the end of the answer. */
  readonly milliseconds: number;
}

export interface Exchange {
  readonly sent: Sent;
  readonly received: Received;
}

/** The body as JSON, or undefined if it is not JSON. */
export function jsonOf({ received }: Exchange): unknown {
  try {
    return JSON.parse(received.text) as unknown;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
