import { setTimeout } from 'node:timers/promises';
import { waitFor } from 'clip-testkit/wait-for';
import type { Cluster, Member } from './cluster.ts';

type Random = () => number;

/** What happens to a process, or to a server that all of them need. */
export interface Fault {
  readonly on: 'api' | 'worker' | 'postgres' | 'storage';
  /** How long it is stopped; killed if omitted. */
  readonly seconds?: number;
}

/** Milliseconds since the epoch. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0]!);
}

/** A worker loses its job to another one after 20 to 40 seconds without a sign of life. */
const stopSeconds = { api: [1, 6], worker: [1, 60] } as const;

/** Plans `hits` of processes, each kind as often, and one outage of each server, in any order. */
export function planFaults(count: number, random: Random): Fault[] {
  const processes = Array.from({ length: count }, (_, index): Fault => {
    const on = index % 2 === 0 ? 'api' : 'worker';
    const [least, most] = stopSeconds[on];
    return { on, ...(index % 4 < 2 && { seconds: least + random() * (most - least) }) };
  });
  return shuffled([...processes, { on: 'postgres' }, { on: 'storage' }], random);
}

/** Brings faults on a cluster, and everything back after each. */
export class Chaos {
  readonly #cluster: Cluster;
  readonly #random: Random;
  /** Anything that changes while the service works. */
  readonly #progress: () => unknown;
  readonly #hit = new Set<Member>();
  readonly #underWay: Promise<void>[] = [];
  /** When each process was stopped. */
  readonly stops = new Map<Member, Period[]>();
  /** When Postgres was away. */
  readonly outages: Period[] = [];

  constructor(cluster: Cluster, random: Random, progress: () => unknown) {
    this.#cluster = cluster;
    this.#random = random;
    this.#progress = progress;
  }

  /** Begins the fault. One process of each role at least is left in peace. */
  async bring(fault: Fault): Promise<void> {
    if (fault.on === 'postgres' || fault.on === 'storage') {
      this.#underWay.push(fault.on === 'postgres' ? this.#restartPostgres() : this.#loseStorage());
      return;
    }
    const members = fault.on === 'api' ? this.#cluster.apis : this.#cluster.workers;
    const free = await waitFor(
      `a free ${fault.on}`,
      () => {
        const found = members.filter((member) => !this.#hit.has(member));
        return found.length > 1 && found;
      },
      this.#progress,
    );
    const member = free[Math.floor(this.#random() * free.length)]!;
    this.#hit.add(member);
    const { seconds } = fault;
    const hit = seconds === undefined ? this.#kill(member) : this.#stop(member, seconds);
    this.#underWay.push(hit.finally(() => this.#hit.delete(member)));
  }

  /** Until everything is back. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** As an orchestrator does: it is started until it runs. */
  async #kill(member: Member): Promise<void> {
    await member.end('SIGKILL');
    const start = () =>
      member.start().then(
        () => true,
        () => false,
      );
    await waitFor('a new process', start, this.#progress);
  }

  /** The time is part of the fault. */
  async #stop(member: Member, seconds: number): Promise<void> {
    const from = Date.now();
    member.signal('SIGSTOP');
    await setTimeout(seconds * 1000);
    member.signal('SIGCONT');
    const periods = this.stops.get(member) ?? [];
    this.stops.set(member, [...periods, { from, to: Date.now() }]);
  }

  async #restartPostgres(): Promise<void> {
    const from = Date.now();
    await this.#cluster.postgres.stop();
    await this.#cluster.postgres.start();
    this.outages.push({ from, to: Date.now() });
  }

  async #loseStorage(): Promise<void> {
    await this.#cluster.swift.stop();
    await setTimeout(60_000);
    await this.#cluster.swift.start();
  }
}
