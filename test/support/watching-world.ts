import { randomUUID } from 'node:crypto';
import type { ExportSession } from '../../src/client/export-session.ts';
import { pageExport } from '../../src/client/page-exports.ts';
import { VirtualHost } from './virtual-host.ts';
import { VirtualPage } from './virtual-page.ts';

/** An export button without its appearance. */
export interface Button {
  readonly session: ExportSession;
  /** Milliseconds from ready at the host to ready here; null before that. */
  lag: number | null;
}

/** A page with export buttons, and its host, in virtual time. */
export class WatchingWorld {
  readonly page = new VirtualPage();
  readonly host = new VirtualHost(this.page.clock);
  readonly #endpoint = `https://${randomUUID()}.test/clips`;
  readonly #life = new AbortController();

  get clock() {
    return this.page.clock;
  }

  button(project: string): Button {
    const session = pageExport(
      { endpoint: this.#endpoint, fetch: this.host.fetch },
      { project, folder: null, options: {}, exportId: null },
    );
    const one: Button = { session, lag: null };
    session.listen(() => {
      if (session.state.status === 'ready') {
        one.lag ??= this.clock.time - this.host.readyAt(session.state.export!.id);
      }
    }, this.#life.signal);
    return one;
  }

  /** A button with an export that has just started to render. */
  async started(project = 'clip'): Promise<Button> {
    const one = this.button(project);
    void one.session.start();
    await this.clock.passUntil(() => one.session.state.status === 'processing', 1000);
    return one;
  }

  /** Removes every button from the page. */
  leave(): void {
    this.#life.abort();
  }

  close(): void {
    this.leave();
    this.page.close();
  }
}
