import type { Terminal } from './terminal.ts';

/** Shows the progress: one line that changes in a terminal, otherwise one line per step. */
export class ProgressLine {
  readonly #terminal: Pick<Terminal, 'error' | 'terminal'>;
  #step = '';
  #shown = '';

  constructor(terminal: Pick<Terminal, 'error' | 'terminal'>) {
    this.#terminal = terminal;
  }

  /** Can be called often: it only writes visible changes. `share` is 0 to 1. */
  show(step: string, share: number): void {
    const { error, terminal } = this.#terminal;
    if (!terminal) {
      if (step !== this.#step) error(`${step} …\n`);
      this.#step = step;
      return;
    }
    const filled = Math.round(Math.min(1, Math.max(0, share)) * 20);
    const line = `${step} ${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${Math.floor(share * 100)} %`;
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
