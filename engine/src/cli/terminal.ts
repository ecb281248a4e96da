/** What a command line has around it. */
export interface Terminal {
  out: (text: string) => void;
  error: (text: string) => void;
  /** Whether errors go to a person's terminal: progress is one line that changes then. */
  terminal: boolean;
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

/** A failure whose message is for the person at the terminal. */
export class CommandError extends Error {
  override name = 'CommandError';
}
