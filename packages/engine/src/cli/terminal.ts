/** The surroundings of a command line. */
export interface Terminal {
  out: (text: string) => void;
  error: (text: string) => void;
  /** Whether errors go to a terminal. Progress is then one line that changes. */
  terminal: boolean;
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

/** A command failed. The message is for the person at the terminal. */
export class CommandError extends Error {
  override name = 'CommandError';
}
