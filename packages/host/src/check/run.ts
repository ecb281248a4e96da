import { jsonOf, type Exchange } from './http.ts';
import { hasStatus, idsOf, objectionTo } from './judges.ts';
import type { Need, Rule } from './rules.ts';
import { pause, type Ask, type CheckWorld, type Sample } from './world.ts';

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
  other: 'it needs a second user: use --other-cookie or --other-header',
  project: 'no clip is known: use --project',
  ready: 'no export is ready: use --start with --project',
  start: 'it costs one export: use --start with --project',
};

const vector =
  /^(?:(\w+)\? )?(?:(nobody|other|finally) )?([A-Z]+)(?: ([^\s(]\S*))?(?: \((.*?)\))?(?: (.+?))? -> (.+)$/;
/** What a rule needs an export of the user for. */
const ofSample = /\b(export|ready|clip|folder)\b|\$(id|place|clip|anyClip|folder)\b/;

/** How long the check asks the host to hold a request; a network may add the rest. */
const holdSeconds = 1;
const heldWithin = 'within:11';
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

  constructor(world: CheckWorld, rule: Rule) {
    this.#world = world;
    this.#rule = rule;
  }

  async verdict(): Promise<Verdict> {
    const { id, needs, steps } = this.#rule;
    const last = steps.filter((step) => step.startsWith('finally '));
    try {
      // The one start comes first: a list that is not empty shows which user it belongs to.
      if (this.#world.options.start && id !== 'attempt-in-flight') await this.#world.start();
      if (ofSample.test([...needs, ...steps].join(' '))) {
        this.#sample = await this.#world.sample(needs.includes('ready') ? 'ready' : undefined);
      }
      for (const need of needs) if (!this.#has(need)) throw unchecked(missing[need]);
      for (const step of steps) if (!last.includes(step)) await this.#step(step);
      return { state: 'held' };
    } catch (error) {
      if (error instanceof Ended) return error.verdict;
      throw error;
    } finally {
      if (this.#first?.received.status === 201) for (const step of last) await this.#step(step);
    }
  }

  #has(need: Need): boolean {
    const { cookie, headers, other, project, folder, start } = this.#world.options;
    const sample = this.#sample;
    // A browser adds both to the requests of other sites.
    const isSentAlways = cookie ?? Object.values(headers).find((value) => /^basic /i.test(value));
    const clip = project ?? sample;
    const known = { cookie: isSentAlways, clip, export: sample, ready: sample, other, project };
    return !!{ ...known, folder: folder ?? sample?.folder_id, start }[need];
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
    const [, word, rest = ''] = /^(run|every|absent) (.+)$/.exec(step) ?? [];
    if (word === 'absent') return;
    if (word === 'run') return this.#functions[rest]!();
    if (word === 'every') return this.#every(rest);
    const lines = expand(step.replace('$foreign', () => String(this.#values['foreign']!())));
    for (const line of lines) await this.#send(line);
  }

  async #expect(exchange: Exchange, expected: string): Promise<void> {
    const wrong = await objectionTo(exchange, expected, { world: this.#world, first: this.#first });
    const compared = /sameList|differs|without/.test(expected) && this.#first;
    if (wrong !== null) throw broken(wrong, ...(compared ? [compared] : []), exchange);
  }

  async #send(line: string): Promise<void> {
    const [, need, who, method = '', path = '', header = '', body = '', expected = ''] =
      vector.exec(line) ?? [];
    if (!method) throw new Error(`${this.#rule.id}: "${line}" is not a vector.`);
    if (need && !this.#has(need as Need)) return;
    const asIs = ['place', 'inFolder', 'manyIds'];
    const target = this.#filled(path, (value, name) =>
      asIs.includes(name) ? value : encodeURIComponent(value),
    );
    const ask: Ask = {
      as: who === 'nobody' || who === 'other' ? who : 'user',
      headers: this.#headers(`${method} ${path}`, this.#filled(header)),
      ...(body && { body: this.#body(path, body) }),
      apart: this.#rule.apart,
    };
    const exchange = await (method === 'START'
      ? this.#world.start()
      : this.#world.ask(method, target.replace(/\?$/, ''), ask));
    if (!this.#first) {
      this.#first = exchange;
      const step = this.#rule.steps.find((one) => one.startsWith('absent '));
      const [, known = '', note = ''] = /^absent (.+): (.+)$/.exec(step ?? '') ?? [];
      const judged = { world: this.#world, first: exchange };
      if (known && !(await objectionTo(exchange, known, judged))) throw absent(note);
    }
    await this.#expect(exchange, this.#filled(expected));
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
    const text = this.#filled(body);
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

  #hold(id: string, seconds: number, more = {}): Promise<Exchange> {
    const headers = { Prefer: `wait=${seconds}` };
    const ask = { headers, timeoutMs: 60_000, ...more };
    return this.#world.ask('GET', `exports?id=${encodeURIComponent(id)}`, ask);
  }

  async #processing(): Promise<string> {
    const sample = await this.#world.sample('processing');
    if (!sample) throw unchecked('no export is processing: use --start with --project');
    return sample.id;
  }

  /** What cannot be written as a vector. */
  readonly #functions: Readonly<Record<string, () => Promise<void>>> = {
    // The first rule with a start: it asks the host while the start is running.
    inFlight: async () => {
      let isOver = false;
      const began = performance.now();
      const start = this.#world.start().finally(() => (isOver = true));
      let last: Exchange | null = null;
      while (!isOver) {
        const isLate = performance.now() - began > arrivedMs;
        const path = `exports?attempt=${this.#world.key}`;
        const asked = this.#world.ask('GET', path, { timeoutMs: 120_000 });
        const exchange = await Promise.race([asked, start.then(() => null)]);
        if (exchange && isLate) last = exchange;
        await Promise.race([pause(200), start]);
      }
      if (!last) throw unchecked('the start was answered too soon to be seen while it ran');
      const isNothing = last.received.status === 200 && JSON.stringify(jsonOf(last)) === '[]';
      if (isNothing)
        throw broken('the start was running, but nothing was said to be started', last);
    },
    wait: async () => {
      const id = await this.#processing();
      const before = await this.#world.ask('GET', `exports?id=${encodeURIComponent(id)}`);
      const exchange = await this.#hold(id, holdSeconds);
      await this.#expect(exchange, `200 ids:${id}`);
      const { milliseconds, text, headers } = exchange.received;
      const isHeld = milliseconds >= holdSeconds * 1000 - 100;
      if (!text.includes('"processing"') || (!isHeld && before.received.text !== text)) {
        throw unchecked('the export changed while it was watched: run the check again');
      }
      if (!headers['preference-applied']) throw absent('the host holds nothing: pages poll it');
      await this.#expect(exchange, `any ${heldWithin} preference-applied~^\\s*wait\\s*=\\s*1\\s*$`);
      if (!isHeld) throw broken('Preference-Applied was sent, but nothing was held', exchange);
    },
    waitLeave: async () => {
      const id = await this.#processing();
      for (let round = 0; round < 3; round++) {
        const leaving = new AbortController();
        const { signal } = leaving;
        const holds = Array.from({ length: 5 }, () => this.#hold(id, 25, { signal }));
        // The answer to a later request shows that they have arrived.
        await this.#world.ask('GET', 'exports');
        leaving.abort();
        await Promise.all(holds);
      }
      const after = await this.#hold(id, holdSeconds);
      await this.#expect(after, `200 ids:${id} ${heldWithin}`);
      if (!after.received.headers['preference-applied']) throw absent('the host holds nothing');
    },
    settles: async () => {
      const id = String(this.#values['first']!());
      const end = performance.now() + this.#world.options.maxWatchMs;
      for (;;) {
        const exchange = await this.#hold(id, 25);
        await this.#expect(exchange, `200 ids:${id}`);
        const isOver = performance.now() > end || !exchange.received.text.includes('"processing"');
        const settled = 'any .0.status~^(ready|error)$ .0.finished_at~.';
        if (isOver) await this.#expect(exchange, settled);
        if (exchange.received.text.includes('"ready"'))
          await this.#expect(exchange, 'any .0.src_url~.');
        if (isOver) return;
        if (exchange.received.milliseconds < 2000) await pause(2000);
      }
    },
  };
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
