import {
  LateService,
  type ListFault,
  type StartFault,
} from '../../src/host-check/faults/late-service.ts';
import { memoryStore } from '../../src/host/index.ts';
import { LateHost } from './late-host.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** How the service of a model fails, and the network between the page and the host. */
export interface ServiceBehaviour {
  readonly keepsKeys: boolean;
  /** Probability, 0 to 1, that a request of the page or its answer is lost. */
  readonly lost: number;
  /** Maximum time on the way to the host, in milliseconds. */
  readonly wayMs: number;
  /** Maximum time in which the service carries out a start. */
  readonly workMs: number;
  /** Probability that the host's process is killed during a start. */
  readonly killed: number;
}

const apiKey = 'key-of-the-model';
const lostConnection = () => new TypeError('connection lost');

/**
 * The real `clip-kit/host` over a service that is late, fails after the work, or without it. In the
 * test's virtual time.
 */
export class ModelRealHost {
  healthy = false;
  /** Of the clip's edit; null: exports have none, and never end. */
  revision: number | null = null;
  readonly #project: string;
  /** When starts were sent, by key. */
  readonly sent: { readonly key: string; readonly at: number }[] = [];
  /** Not known for a real host: its starts may be carried out long after they were sent. */
  readonly paidFor: readonly number[] = [];
  readonly #clock: VirtualClock;
  readonly #behaviour: ServiceBehaviour;
  readonly #service: LateService;
  readonly #host: LateHost;

  constructor(clock: VirtualClock, behaviour: ServiceBehaviour, project: string) {
    this.#clock = clock;
    this.#project = project;
    this.#behaviour = behaviour;
    const list: ListFault = {
      keepsKeys: behaviour.keepsKeys,
      listLateMs: clock.random() < 0.5 ? 0 : clock.random() * 15_000,
      listCut: clock.random() < 0.1,
      listFails: clock.random() < 0.5 ? 0 : Math.floor(clock.random() * 4),
      hidesWatermark: clock.random() < 0.3,
    };
    this.#service = new LateService({
      apiKey,
      startOf: () => this.#fault(),
      listOf: () => list,
      editOf: () => (this.revision === null ? {} : { revision: this.revision, renderMs: 20_000 }),
    });
    this.#host = new LateHost(this.#service, apiKey, memoryStore());
  }

  /** The exports that were paid for. */
  get paid(): readonly { readonly revision?: number | undefined }[] {
    return this.#service.exportsOf(this.#project);
  }

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const { signal } = init;
    const answer = this.#answer(new URL(String(input)), init);
    answer.catch(() => {});
    const left = Promise.withResolvers<never>();
    left.promise.catch(() => {});
    if (signal?.aborted) left.reject(signal.reason as Error);
    signal?.addEventListener('abort', () => left.reject(signal.reason as Error), { once: true });
    return Promise.race([answer, left.promise]);
  };

  async #answer({ pathname, search }: URL, init: RequestInit): Promise<Response> {
    const { lost, wayMs, killed } = this.#behaviour;
    const isStart = init.method === 'POST';
    if (isStart) {
      const key = new Headers(init.headers).get('Idempotency-Key')!;
      this.sent.push({ key, at: this.#clock.time });
    }
    await this.#pause(wayMs);
    if (this.#chance(lost)) throw lostConnection();
    const answer = this.#host.answer('ann', pathname + search, init);
    if (isStart && this.#chance(killed)) {
      answer.catch(() => {});
      await this.#pause(10_000);
      this.#host.restart();
      throw lostConnection();
    }
    // The browser itself sends a cut request again.
    if (isStart && this.#chance(0.1)) {
      void this.#host.answer('ann', pathname + search, init).catch(() => {});
    }
    const response = await answer;
    await this.#pause(wayMs);
    if (this.#chance(lost)) throw lostConnection();
    return response;
  }

  #fault(): StartFault {
    const { workMs } = this.#behaviour;
    const chance = this.healthy ? 0 : this.#clock.random();
    const work = this.#clock.random() * workMs;
    if (chance < 0.35) return { workMs: work / 10 };
    if (chance < 0.55) return { workMs: work / 10, answer: 'drop' };
    if (chance < 0.7) return { workMs: work, answer: chance < 0.62 ? 504 : 503 };
    if (chance < 0.8) return { workMs: work, answerMs: 90_000 };
    if (chance < 0.9) return { work: false, answer: 'drop' };
    return { work: false, answer: chance < 0.95 ? 503 : 402 };
  }

  #chance(share: number): boolean {
    return !this.healthy && this.#clock.random() < share;
  }

  #pause(maxMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#clock.random() * maxMs));
  }
}
