import type { Clip } from './faults/late-service.ts';
import { type Ask, type CheckWorld, type Exchange, pause, type Sample } from './world.ts';
import { hasStatus, idsOf, objectionTo, type Judged } from './judges.ts';
import type { Need, Rule } from './rules.ts';

/**
 * The result of the check for one rule. `absent`: an optional part that this host does not have.
 * `unchecked`: the note says which flag is needed.
 */
export type Verdict =
  | { readonly state: 'held' }
  | { readonly state: 'absent' | 'unchecked'; readonly note: string }
  | { readonly state: 'broken'; readonly found: string; readonly exchanges: readonly Exchange[] };

export interface Result {
  readonly rule: Rule;
  readonly verdict: Verdict;
}

/** The clip of a rule at the service that fails. */
export interface FaultyClip {
  readonly id: string;
  readonly clip: Clip;
  /** Kills the host when the start is at the service, and starts it again. */
  readonly kill?: () => Promise<void>;
}

/** Thrown to end a rule that does not hold. */
class Ended extends Error {
  readonly verdict: Verdict;
  constructor(verdict: Verdict) {
    super(verdict.state);
    this.verdict = verdict;
  }
}
const broken = (found: string, ...exchanges: readonly Exchange[]): Ended =>
  new Ended({ state: 'broken', found, exchanges });
const unchecked = (note: string): Ended => new Ended({ state: 'unchecked', note });

const missing: Readonly<Record<Need, string>> = {
  clip: 'no clip is known: use --project',
  cookie: 'no other site can send a session in a header: it needs --cookie',
  export: 'the user has no export: use --start with --project, or log in as a user with an export',
  folder: 'no folder is known: use --folder',
  moving: 'no export is processing: use --start with --project',
  other: 'it needs a second user: use --other-cookie or --other-header',
  project: 'no clip is known: use --project',
  ready: 'no export is ready: use --start with --project',
  start: 'it costs one export: use --start with --project',
};

const vector =
  /^(?:(\w+)\? )?(?:(nobody|other|finally|leaving|watching|start|twice|killed) )?([A-Z]+)(?: ([^\s(]\S*))?(?: \((.*?)\))?(?: (.+?))? -> (.+)$/;
/** What a rule needs an export of the user for. */
const ofSample = /\b(export|ready|moving|clip|folder)\b|\$(id|place|clip|anyClip|folder)\b/;

/** A page of another origin. */
const site = 'clip-host-check.example';
/** A start that takes longer than this has reached the host before the host is asked about it. */
const arrivedMs = 2000;

/** One line for each combination of the alternatives in it. */
function expand(line: string): string[] {
  const [found, choices] = /<([^<>]*)>/.exec(line) ?? [];
  return found === undefined
    ? [line]
    : choices!.split('|').flatMap((choice) => expand(line.replace(found, () => choice)));
}

const queryOf = (values: Readonly<Record<string, string | null>>): string =>
  `${new URLSearchParams(Object.entries(values).filter((one): one is [string, string] => !!one[1]))}`;

/** Runs the vectors of one rule. */
class RuleRun {
  readonly #world: CheckWorld;
  readonly #rule: Rule;
  readonly #faulty: FaultyClip | undefined;
  readonly #judged: Judged;
  #sample: Sample | null = null;

  constructor(world: CheckWorld, rule: Rule, faulty?: FaultyClip) {
    this.#world = world;
    this.#rule = rule;
    this.#faulty = faulty;
    const { options } = world;
    this.#judged = { options, first: null, exports: {}, fill: (word) => this.#filled(word) };
  }

  async verdict(): Promise<Verdict> {
    const { needs, steps } = this.#rule;
    const last = steps.filter((step) => step.startsWith('finally '));
    try {
      // The one start comes first: a list that is not empty shows which user it belongs to.
      const asksDuring = steps.some((step) => step.startsWith('start '));
      if (this.#world.options.start && !asksDuring) await this.#world.start();
      if (ofSample.test([...needs, ...steps].join(' '))) {
        const states = { ready: 'ready', moving: 'processing' };
        const need = needs.find((one): one is keyof typeof states => one in states);
        this.#sample = await this.#world.sample(need && states[need]);
      }
      for (const need of needs) if (!this.#has(need)) throw unchecked(missing[need]);
      for (const step of steps) if (!last.includes(step)) await this.#step(step);
      const made = this.#faulty?.clip.exports.length ?? 1;
      if (made !== 1) throw broken(`${made} exports were paid for instead of 1`);
      return { state: 'held' };
    } catch (error) {
      if (error instanceof Ended) return error.verdict;
      throw error;
    } finally {
      const isMade = this.#judged.first?.received.status === 201;
      if (isMade) for (const step of last) await this.#step(step).catch(() => {});
    }
  }

  #has(need: Need): unknown {
    const { user, other, project, folder, start } = this.#world.options;
    const sample = this.#sample;
    // A browser adds both to the requests of other sites.
    const cookie = user['Cookie'] ?? Object.values(user).find((value) => /^basic /i.test(value));
    const given = { cookie, clip: project ?? sample, other, project, start };
    const samples = { export: sample, ready: sample, moving: sample };
    return { ...given, ...samples, folder: folder ?? sample?.folder_id }[need];
  }

  readonly #one = crypto.randomUUID();

  /** The value of `$name` in a vector. */
  #value(name: string): string {
    const { endpoint, project, folder, otherUser } = this.#world.options;
    const { id, project_id = '', folder_id = null } = this.#sample ?? {};
    const { protocol, host, hostname } = new URL(endpoint);
    const [first] = this.#judged.first ? idsOf(this.#judged.first) : [];
    if (name === 'first' && !first) throw unchecked('the user has no tasks: make a video first');
    const values: Readonly<Record<string, string | null | undefined>> = {
      a: `fault-a-${this.#one}`,
      anyClip: project ?? project_id,
      b: `fault-b-${this.#one}`,
      clip: project_id,
      faulty: this.#faulty?.id,
      first,
      folder: folder ?? folder_id ?? '',
      foreign: `<https://${site}|${protocol}//${hostname}.${site}|${protocol}//clip-host-check${host}|null>`,
      id,
      inFolder: queryOf({ folder_id: folder }),
      key: this.#world.key,
      none: crypto.randomUUID(),
      one: this.#one,
      other: otherUser ?? '1',
      place: queryOf({ project_id, folder_id }),
      project,
      startBody: this.#world.startBody,
    };
    return String(values[name]);
  }

  #filled(text: string, write = (value: string, _name: string) => value): string {
    return text.replace(/\$([a-z]\w*)/gi, (_, name: string) => write(this.#value(name), name));
  }

  async #step(step: string): Promise<void> {
    const [, seconds] = /^(\d+) s$/.exec(step) ?? [];
    if (seconds) return pause(this.#faulty!.clip.lastStartAt + Number(seconds) * 1000 - Date.now());
    if (step.startsWith('every ')) return this.#every(step.slice('every '.length));
    const [line = '', absence] = step.split(' | absent ');
    const lines = expand(line.replace('$foreign', () => this.#value('foreign')));
    for (const [at, one] of lines.entries()) await this.#run(one, at ? '' : absence);
  }

  async #expect(exchange: Exchange, expected: string): Promise<void> {
    const wrong = await objectionTo(exchange, expected, this.#judged);
    const compared = /sameList|differs|without/.test(expected) && this.#judged.first;
    if (wrong !== null) throw broken(wrong, ...(compared ? [compared] : []), exchange);
  }

  async #run(line: string, absence = ''): Promise<void> {
    const [, need, how, method = '', path = '', header = '', body = '', right = ''] =
      vector.exec(line) ?? [];
    if (!method) throw new Error(`${this.#rule.id}: "${line}" is not a vector.`);
    if (need && !this.#has(need as Need)) return;
    const target = this.#filled(path, (value, name) =>
      ['place', 'inFolder'].includes(name) ? value : encodeURIComponent(value),
    ).replace(/\?$/, '');
    const isStart = method === 'POST' && path === 'exports';
    const given = header ? this.#filled(header).split(/; (?=[\w-]+: )/) : [];
    const pairs = given.map((one) => one.split(/: (.*)/s));
    const headers = Object.fromEntries(
      pairs.map(([name, value]) => [name, value === '-' ? null : value]),
    );
    const ask: Ask = {
      as: how === 'nobody' || how === 'other' ? how : 'user',
      headers: {
        ...(isStart && { 'Idempotency-Key': `check-${crypto.randomUUID()}` }),
        ...headers,
      },
      ...(body && { body: this.#body(path, body) }),
      apart: this.#rule.apart,
    };
    const send = (more: Ask = {}) =>
      method === 'START'
        ? this.#world.start()
        : this.#world.ask(method, target, { ...ask, ...more });
    if (how === 'start') return this.#duringStart(send, right);
    if (how === 'leaving') return this.#leave(send);
    // Nobody gets the answer of a host that is killed.
    if (how === 'killed') {
      void send();
      return this.#faulty!.kill!();
    }
    const twin = how === 'twice' ? send() : null;
    let exchange = await send();
    this.#judged.first ??= exchange;
    const [missed = '', note = ''] = absence.split(/: (.*)/s);
    if (absence && !(await objectionTo(exchange, missed, this.#judged))) {
      throw new Ended({ state: 'absent', note });
    }
    const end = performance.now() + (how === 'watching' ? this.#world.options.maxWatchMs : 0);
    while (performance.now() < end && exchange.received.text.includes('"processing"')) {
      if (exchange.received.milliseconds < 2000) await pause(2000);
      exchange = await send();
    }
    await this.#expect(exchange, right);
    if (twin) await this.#expect(await twin, right);
  }

  /** Sends five requests, and aborts them when they have arrived: a later one is answered. */
  async #leave(send: (more: Ask) => Promise<Exchange>): Promise<void> {
    const leaving = new AbortController();
    const holds = Array.from({ length: 5 }, () => send({ leaving: leaving.signal }));
    await this.#world.ask('GET', 'exports');
    leaving.abort();
    await Promise.all(holds);
  }

  /** A start is of a clip that does not exist, so a host that accepts it starts nothing either. */
  #body(path: string, body: string): string {
    const text = this.#filled(body, (value, name) =>
      name === 'startBody' ? value : JSON.stringify(value).slice(1, -1),
    );
    if (!/^\{.*\}$/s.test(text)) return text;
    const project_id = path === 'exports' ? crypto.randomUUID() : null;
    const fields = { project_id, ...(JSON.parse(text) as object) };
    return JSON.stringify(fields, (_, value: unknown) => (value === null ? undefined : value));
  }

  /** Judges all answers so far: the rules with this come last. */
  async #every(rest: string): Promise<void> {
    const [statuses = '', words = ''] = rest.split(' -> ');
    // There is something to judge, also if this is the only rule.
    await this.#world.ask('GET', 'exports');
    await this.#world.ask('GET', 'exports', { as: 'nobody' });
    await this.#world.ask('GET', 'clip-host-check');
    await this.#world.ask('POST', 'token', { body: '{}' });
    const chosen = this.#world.seen
      .filter(({ sent }) => !['HEAD', 'OPTIONS'].includes(sent.method))
      .filter((exchange) => hasStatus(exchange, statuses));
    if (!chosen.length) throw unchecked(`no ${statuses} was seen; the check does not provoke one`);
    for (const exchange of chosen) await this.#expect(exchange, `any ${words}`);
  }

  /** Sends a request again and again while the one start is running, and judges the last answer. */
  async #duringStart(send: () => Promise<Exchange>, expected: string): Promise<void> {
    let isOver = false;
    const began = performance.now();
    const start = this.#world.start().finally(() => (isOver = true));
    let last: Exchange | null = null;
    while (!isOver) {
      const isLate = performance.now() - began > arrivedMs;
      const exchange = await Promise.race([send(), start.then(() => null)]);
      if (exchange && isLate) last = exchange;
      await Promise.race([pause(200), start]);
    }
    if (!last) throw unchecked('the start was answered too soon to be seen while it ran');
    await this.#expect(last, expected);
  }
}

/** Checks one rule; `faulty` if it is about a service that fails. */
export const runRule = async (
  world: CheckWorld,
  rule: Rule,
  faulty?: FaultyClip,
): Promise<Result> => ({ rule, verdict: await new RuleRun(world, rule, faulty).verdict() });
