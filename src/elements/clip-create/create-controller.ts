import type { ReactiveController } from 'lit';
import { accountsAtLoad } from '../../client/accounts-at-load.ts';
import { asClipError, ClipError, loadPart } from '../../client/clip-error.ts';
import { hostOptions } from '../settings/host-options.ts';
import type { PageController } from '../settings/page-controller.ts';
import { idOption } from '../settings/id-option.ts';
import { ClipCreateErrorEvent, type CreateHost } from './clip-create-events.ts';
import type { CreateWork } from './create-work.ts';

/** Whether it is the name of something that was begun, as `client/create-store.ts` keeps it. */
const isOfJob = (key: string | null): boolean => !!key?.startsWith('clip-kit:create:');

function hasOpenJobs(): boolean {
  try {
    return Object.keys(localStorage).some(isOfJob);
  } catch {
    return false;
  }
}

/** Loads what works on videos once there is one, and ends it when the element leaves. */
export class CreateController implements ReactiveController {
  readonly #host: CreateHost;
  readonly #page: PageController;
  /** Null until it is needed. */
  work: CreateWork | null = null;
  /** Why nothing can be sent: a setting, or a part of the page that could not be loaded. */
  error: ClipError | null = null;
  #loading: Promise<CreateWork | null> | null = null;
  #life = new AbortController();
  #key: string | null = null;

  constructor(host: CreateHost, page: PageController) {
    this.#host = host;
    this.#page = page;
    host.addController(this);
  }

  hostUpdate(): void {
    if (!this.#page.connected) return;
    accountsAtLoad();
    const settings = this.#page.settings(() => {
      idOption(this.#host.presetId, 'preset-id');
      return JSON.stringify(hostOptions(this.#host));
    });
    if (!settings || settings.key === this.#key) return;
    const { key, error } = settings;
    // A file may have been given before the first settings.
    if (this.#key !== null) this.end();
    this.#key = key;
    this.error = error;
    if (error) {
      this.#page.dispatch(new ClipCreateErrorEvent(error));
      return;
    }
    if (hasOpenJobs()) void this.load();
    // Another tab has begun something, which this one finishes if that is closed.
    const begun = ({ key }: StorageEvent): void => {
      if (isOfJob(key)) void this.load();
    };
    addEventListener('storage', begun, { signal: this.#life.signal });
  }

  /** What works on videos; null if it cannot be loaded, which the element shows. */
  load(): Promise<CreateWork | null> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<CreateWork | null> {
    // Settings that were made in this task count.
    await this.#host.updateComplete;
    if (this.error?.code === 'load-failed') this.error = null;
    if (!this.#page.connected || this.error) return null;
    const { signal } = this.#life;
    try {
      const { CreateWork } = await loadPart(import('./create-work.ts'));
      if (signal.aborted) return null;
      const options = hostOptions(this.#host);
      this.work = new CreateWork(this.#host, this.#page, options, signal);
    } catch (cause) {
      if (signal.aborted) return null;
      this.#loading = null;
      this.error = asClipError(cause);
      this.#page.dispatch(new ClipCreateErrorEvent(this.error));
    }
    this.#host.requestUpdate();
    return this.work;
  }

  /** Ends all work. What was begun is stored, and goes on in the next element. */
  end(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.work = this.#loading = this.#key = this.error = null;
  }
}
