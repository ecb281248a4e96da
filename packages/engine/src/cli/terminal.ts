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

/** Shows the progress: one line that changes in a terminal, otherwise one line per step. */
export class ProgressLine {
  readonly #terminal: Pick<Terminal, 'error' | 'terminal'>;
  #step = '';
  #shown = '';

  constructor(terminal: Pick<Terminal, 'error' | 'terminal'>) {
    this.#terminal = terminal;
  }

  /**
   * Can be called often: it only writes visible changes. `share` is 0 to 1. `note` is shown at the
   * end of the line.
   */
  show(step: string, share: number, note = ''): void {
    const { error, terminal } = this.#terminal;
    if (!terminal) {
      if (step !== this.#step) error(`${step} …\n`);
      this.#step = step;
      return;
    }
    const filled = Math.round(Math.min(1, Math.max(0, share)) * 20);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(20 - filled)}`;
    const line = `${step} ${bar} ${Math.floor(share * 100)} %${note && `, ${note}`}`;
    if (line === this.#shown) return;
    this.#shown = line;
    error(`\r\u001b[K${line}`);
  }

  /** Removes the line, so that something else can be written. */
  clear(): void {
    if (this.#shown) this.#terminal.error('\r\u001b[K');
    this.#shown = '';
  }
}

const padWithZero = (value: number): string => String(value).padStart(2, '0');

/** Seconds as a length: `0:27`, `1:02:03`. */
export function formatClock(seconds: number): string {
  const rounded = Math.round(seconds);
  const hours = Math.floor(rounded / 3600);
  const minutes = Math.floor(rounded / 60) % 60;
  const rest = padWithZero(rounded % 60);
  return hours ? `${hours}:${padWithZero(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Formats rows in columns. Columns of numbers are aligned to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => [...(row[column] ?? '')].length)),
  );
  const isNumber = head.map((_, column) =>
    rows.every((row) => /^[\d.:]+$/.test(row[column] ?? '')),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat(widths[column]! - [...cell].length);
        return isNumber[column] ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  return [head, ...rows].map((row) => `${line(row)}\n`).join('');
}
