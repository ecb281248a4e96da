import type { Exchange } from './http.ts';
import { hasStatus, idsOf, objectionTo, type Judged } from './judges.ts';
import type { Need, Rule } from './rules.ts';
import { pause, startTimeoutMs, type Ask, type CheckWorld, type Sample } from './world.ts';

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
const absent = (note: string): Ended => new Ended({ state: 'absent', note });

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
  /^(?:(\w+)\? )?(?:(nobody|other|finally|leaving|watching|start) )?([A-Z]+)(?: ([^\s(]\S*))?(?: \((.*?)\))?(?: (.+?))? -> (.+)$/;
/** What a rule needs an export of the user for. */
const ofSample = /\b(export|ready|moving|clip|folder)\b|\$(id|place|clip|anyClip|folder)\b/;

/** A start that takes longer than this has reached the host before the host is asked about it. */
const arrivedMs = 2000;

/** One line for each combination of the alternatives in it. */
function expand(line: string): string[] {
  const [found, choices] = /<([^<>]*)>/.exec(line) ?? [];
  return found === undefined
    ? [line]
    : choices!.split('|').flatMap((choice) => expand(line.replace(found, () => choice)));
}

const queryOf = (values: object): string => `${new URLSearchParams(values as never)}`;

/** Runs the vectors of one rule. */
class RuleRun {
  readonly #world: CheckWorld;
  readonly #rule: Rule;
  #sample: Sample | null = null;
  #first: Exchange | null = null;
  /** By what the next answer shows that a part is missing. */
  #absent = '';

  constructor(world: CheckWorld, rule: Rule) {
    this.#world = world;
    this.#rule = rule;
  }

  async verdict(): Promise<Verdict> {
    const { needs, steps } = this.#rule;
    const last = steps.filter((step) => step.startsWith('finally '));
    try {
      // The one start comes first: a list that is not empty shows which user it belongs to.
      const asksDuring = steps.some((step) => step.startsWith('start '));
      if (this.#world.options.start && !asksDuring) await this.#world.start();
      if (ofSample.test([...needs, ...steps].join(' '))) {
        const states = { ready: 'ready', moving: 'processing' } as const;
        const need = needs.find((one): one is keyof typeof states => one in states);
        this.#sample = await this.#world.sample(need && states[need]);
      }
      for (const need of needs) if (!this.#has(need)) throw unchecked(missing[need]);
      for (const step of steps) if (!last.includes(step)) await this.#step(step);
      return { state: 'held' };
    } catch (error) {
      if (error instanceof Ended) return error.verdict;
      throw error;
    } finally {
      const isMade = this.#first?.received.status === 201;
      if (isMade) for (const step of last) await this.#step(step).catch(() => {});
    }
  }

  #has(need: Need): boolean {
    const { cookie, headers, other, project, folder, start } = this.#world.options;
    const sample = this.#sample;
    // A browser adds both to the requests of other sites.
    const isSentAlways = cookie ?? Object.values(headers).find((value) => /^basic /i.test(value));
    const clip = project ?? sample;
    const samples = { export: sample, ready: sample, moving: sample };
    const given = { cookie: isSentAlways, clip, other, project, start, ...samples };
    return !!{ ...given, folder: folder ?? sample?.folder_id }[need];
  }

  /** The values of `$name` in a vector. */
  readonly #values: Readonly<Record<string, () => unknown>> = {
    anyClip: () => this.#world.options.project ?? this.#sample!.project_id,
    clip: () => this.#sample!.project_id,
    first: () => {
      const [id] = this.#first ? idsOf(this.#first) : [];
      if (id === undefined) throw unchecked('the user has no tasks: make a video first');
      return id;
    },
    folder: () => this.#world.options.folder ?? this.#sample?.folder_id ?? '',
    foreign: () => {
      const { protocol, host, hostname } = new URL(this.#world.options.endpoint);
      const site = 'clip-host-check.example';
      return `<https://${site}|${protocol}//${hostname}.${site}|${protocol}//clip-host-check${host}|null>`;
    },
    id: () => this.#sample!.id,
    inFolder: () =>
      queryOf(this.#world.options.folder ? { folder_id: this.#values['folder']!() } : {}),
    key: () => this.#world.key,
    long: () => 'a'.repeat(80 * 1024),
    manyIds: () => queryOf(Array.from({ length: 200 }, () => ['id', crypto.randomUUID()])),
    none: () => crypto.randomUUID(),
    one: () => this.#one,
    other: () => this.#world.options.otherUser ?? '1',
    place: () => {
      const { project_id, folder_id } = this.#sample!;
      return queryOf({ project_id, ...(folder_id && { folder_id }) });
    },
    project: () => this.#world.options.project,
    startBody: () => JSON.stringify(this.#world.startBody),
    tooLong: () => 'k'.repeat(129),
  };
  readonly #one = crypto.randomUUID();

  #filled(text: string, write = (value: string, _name: string) => value): string {
    return text.replace(/\$([a-z]\w*)/gi, (_, name: string) =>
      write(String(this.#values[name]!()), name),
    );
  }

  async #step(step: string): Promise<void> {
    const [, word, rest = ''] = /^(every|absent) (.+)$/.exec(step) ?? [];
    if (word === 'absent') this.#absent = rest;
    else if (word === 'every') await this.#every(rest);
    else {
      const lines = expand(step.replace('$foreign', () => String(this.#values['foreign']!())));
      for (const line of lines) await this.#run(line);
    }
  }

  #judged(): Judged {
    const fill = (word: string) => this.#filled(word);
    return { options: this.#world.options, first: this.#first, fill };
  }

  async #expect(exchange: Exchange, expected: string): Promise<void> {
    const wrong = await objectionTo(exchange, expected, this.#judged());
    const compared = /sameList|differs|without/.test(expected) && this.#first;
    if (wrong !== null) throw broken(wrong, ...(compared ? [compared] : []), exchange);
  }

  async #run(line: string): Promise<void> {
    const [, need, how, method = '', path = '', header = '', body = '', right = ''] =
      vector.exec(line) ?? [];
    if (!method) throw new Error(`${this.#rule.id}: "${line}" is not a vector.`);
    if (need && !this.#has(need as Need)) return;
    const asIs = ['place', 'inFolder', 'manyIds'];
    const target = this.#filled(path, (value, name) =>
      asIs.includes(name) ? value : encodeURIComponent(value),
    ).replace(/\?$/, '');
    const ask: Ask = {
      as: how === 'nobody' || how === 'other' ? how : 'user',
      headers: this.#headers(`${method} ${path}`, this.#filled(header)),
      ...(body && { body: this.#body(path, body) }),
      timeoutMs: how === 'start' ? startTimeoutMs : 60_000,
      apart: this.#rule.apart,
    };
    const send = (more: Ask = {}) =>
      method === 'START'
        ? this.#world.start()
        : this.#world.ask(method, target, { ...ask, ...more });
    if (how === 'start') return this.#duringStart(send, right);
    if (how === 'leaving') return this.#leave(send);
    let exchange = await send();
    this.#first ??= exchange;
    const [absence = '', note = ''] = this.#absent.split(/: (.*)/s);
    this.#absent = '';
    if (absence && !(await objectionTo(exchange, absence, this.#judged()))) throw absent(note);
    const end = performance.now() + (how === 'watching' ? this.#world.options.maxWatchMs : 0);
    while (performance.now() < end && exchange.received.text.includes('"processing"')) {
      if (exchange.received.milliseconds < 2000) await pause(2000);
      exchange = await send();
    }
    await this.#expect(exchange, right);
  }

  /** Sends five requests, and aborts them when they have arrived: a later one is answered. */
  async #leave(send: (more: Ask) => Promise<Exchange>): Promise<void> {
    const leaving = new AbortController();
    const holds = Array.from({ length: 5 }, () => send({ signal: leaving.signal }));
    await this.#world.ask('GET', 'exports');
    leaving.abort();
    await Promise.all(holds);
  }

  #headers(call: string, header: string): Record<string, string | null> {
    const given = header.split(/; (?=[\w-]+: )/).map((one) => one.split(/: (.*)/s));
    const values = given.map(([name, value]) => [name, value === '-' ? null : value]);
    return {
      ...(call === 'POST exports' && { 'Idempotency-Key': `check-${crypto.randomUUID()}` }),
      ...(header && (Object.fromEntries(values) as Record<string, string | null>)),
    };
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

/** Checks one rule after the other and reports each verdict at once. */
export async function runRules(
  world: CheckWorld,
  rules: readonly Rule[],
  report: (result: Result) => void = () => {},
): Promise<Result[]> {
  const results: Result[] = [];
  for (const rule of rules) {
    const result = { rule, verdict: await new RuleRun(world, rule).verdict() };
    results.push(result);
    report(result);
  }
  return results;
}
