import { isObject, jsonOf, type Exchange } from './http.ts';
import { hasStatus, idsOf, objectionTo } from './judges.ts';
import type { Need, Rule } from './rules.ts';
import { pause, type CheckWorld, type Sample } from './world.ts';

/** The result of the check for one rule. */
export type Verdict =
  | { readonly state: 'held' }
  /** `absent`: an optional part that this host does not have. `unchecked`: the flag that it needs. */
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
const longId = 'a'.repeat(80 * 1024);

/** How long the check asks the host to hold a request, and what a network may add to that. */
const holdSeconds = 1;
const toleranceMs = 10_000;
/** A start that takes longer than this has reached the host before the host is asked about it. */
const arrivedMs = 2000;

/** Runs the vectors of one rule. */
class RuleRun {
  readonly #world: CheckWorld;
  readonly #rule: Rule;
  readonly #one = crypto.randomUUID();
  #sample: Sample | null = null;
  #first: Exchange | null = null;

  constructor(world: CheckWorld, rule: Rule) {
    this.#world = world;
    this.#rule = rule;
  }

  async verdict(): Promise<Verdict> {
    const last = this.#rule.steps.filter((step) => step.startsWith('finally '));
    try {
      // The one start comes first: a list that is not empty shows which user it belongs to.
      if (this.#world.options.start && this.#rule.id !== 'attempt-in-flight') {
        await this.#world.start();
      }
      const { needs, steps } = this.#rule;
      if (ofSample.test([...needs, ...steps].join(' '))) {
        this.#sample = await this.#world.sample(needs.includes('ready') ? 'ready' : undefined);
      }
      for (const need of this.#rule.needs) if (!this.#has(need)) throw unchecked(missing[need]);
      for (const step of this.#rule.steps) if (!last.includes(step)) await this.#step(step);
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
    const basic = Object.values(headers).some((value) => /^basic /i.test(value));
    const there: Record<Need, unknown> = {
      clip: project ?? this.#sample,
      // A browser adds both to the requests of other sites.
      cookie: cookie !== null || basic,
      export: this.#sample,
      folder: folder ?? this.#sample?.folder_id,
      other,
      project,
      ready: this.#sample,
      start,
    };
    return !!there[need];
  }

  /** The value of `$name` in a vector. */
  #valueOf(name: string): string {
    const { options, key, startBody } = this.#world;
    const { id, project_id, folder_id } = this.#sample ?? {};
    const folder = options.folder ?? folder_id ?? '';
    switch (name) {
      case 'none':
        return crypto.randomUUID();
      case 'first': {
        const [first] = this.#first ? idsOf(this.#first) : [];
        if (first === undefined) throw unchecked('the user has no tasks: make a video first');
        return first;
      }
      case 'manyIds':
        return Array.from({ length: 200 }, () => `id=${crypto.randomUUID()}`).join('&');
      case 'place': {
        const place = { project_id: project_id!, ...(folder_id && { folder_id }) };
        return `${new URLSearchParams(place)}`;
      }
      case 'inFolder':
        return options.folder === null ? '' : `${new URLSearchParams({ folder_id: folder })}`;
      default: {
        const values: Record<string, string | null | undefined> = {
          anyClip: options.project ?? project_id,
          clip: project_id,
          folder,
          id,
          key,
          long: longId,
          one: this.#one,
          other: options.otherUser ?? '1',
          project: options.project,
          startBody: JSON.stringify(startBody),
          tooLong: 'k'.repeat(129),
        };
        const value = values[name];
        if (value == null) throw new Error(`${this.#rule.id}: nothing is known for $${name}.`);
        return value;
      }
    }
  }

  /** One line of the table for each combination of its alternatives. */
  #lines(step: string): string[] {
    const { protocol, host, hostname } = new URL(this.#world.options.endpoint);
    const origins = `<https://clip-host-check.example|${protocol}//${hostname}.clip-host-check.example|${protocol}//clip-host-check${host}|null>`;
    const expand = (line: string): string[] => {
      const [found, choices] = /<([^<>]*)>/.exec(line) ?? [];
      return found === undefined
        ? [line]
        : choices!.split('|').flatMap((choice) => expand(line.replace(found, () => choice)));
    };
    return expand(step.replace('$foreign', origins));
  }

  async #step(step: string): Promise<void> {
    const [, word, rest = ''] = /^(run|every|absent) (.+)$/.exec(step) ?? [];
    if (word === 'absent') return;
    if (word === 'run') return this.#functions[rest]!();
    if (word === 'every') return this.#every(rest);
    for (const line of this.#lines(step)) await this.#send(line);
  }

  async #expect(exchange: Exchange, expected: string): Promise<void> {
    const wrong = await objectionTo(exchange, expected, { world: this.#world, first: this.#first });
    if (wrong === null) return;
    const compared = /sameList|otherToken|without/.test(expected) && this.#first;
    throw broken(wrong, ...(compared ? [compared] : []), exchange);
  }

  async #send(line: string): Promise<void> {
    const [, need, who, method = '', path = '', header, body, expected = ''] =
      vector.exec(line) ?? [];
    if (!method) throw new Error(`${this.#rule.id}: "${line}" is not a vector.`);
    if (need && !this.#has(need as Need)) return;
    const exchange =
      method === 'START'
        ? await this.#world.start()
        : await this.#world.ask(method, this.#path(path), {
            as: who === 'nobody' || who === 'other' ? who : 'user',
            headers: this.#headers(method, path, header),
            ...(body && { body: this.#body(path, body) }),
            apart: this.#rule.apart,
          });
    this.#first ??= exchange;
    if (exchange === this.#first) await this.#endIfAbsent(exchange);
    await this.#expect(exchange, this.#filled(expected));
  }

  #filled(text: string, change = (value: string, _name: string) => value): string {
    return text.replace(/\$([a-z]\w*)/gi, (_, name: string) => change(this.#valueOf(name), name));
  }

  #path(path: string): string {
    const asIs = ['place', 'inFolder', 'manyIds'];
    return this.#filled(path, (value, name) =>
      asIs.includes(name) ? value : encodeURIComponent(value),
    ).replace(/\?$/, '');
  }

  #headers(method: string, path: string, header = ''): Record<string, string | null> {
    const given = this.#filled(header)
      .split(/; (?=[\w-]+: )/)
      .filter(Boolean)
      .map((one) => one.split(/: (.*)/s, 2) as [string, string])
      .map(([name, value]) => [name, value === '-' ? null : value]);
    const isStart = method === 'POST' && path === 'exports';
    return {
      ...(isStart && { 'Idempotency-Key': `check-${crypto.randomUUID()}` }),
      ...Object.fromEntries(given),
    };
  }

  /** A start is of a clip that does not exist, so a host that accepts it starts nothing either. */
  #body(path: string, body: string): string {
    const isRaw = /^\{[^}]*$|^[^{]/.test(body);
    const text = this.#filled(body, (value, name) =>
      name === 'startBody' ? value : JSON.stringify(value).slice(1, -1),
    );
    if (isRaw) return text;
    const project_id = path === 'exports' ? crypto.randomUUID() : null;
    const fields = { project_id, ...(JSON.parse(text) as object) };
    return JSON.stringify(fields, (_, value: unknown) => (value === null ? undefined : value));
  }

  async #endIfAbsent(exchange: Exchange): Promise<void> {
    const [, expected, note = ''] =
      /^absent (.+): (.+)$/.exec(
        this.#rule.steps.find((step) => step.startsWith('absent ')) ?? '',
      ) ?? [];
    const judged = { world: this.#world, first: this.#first };
    if (expected !== undefined && (await objectionTo(exchange, expected, judged)) === null) {
      throw absent(note);
    }
  }

  /** Judges all answers so far: the rules with this come last. */
  async #every(rest: string): Promise<void> {
    const [statuses = '', expected = ''] = rest.split(' -> ');
    // There is something to judge, also if this is the only rule.
    await this.#world.ask('GET', 'exports');
    await this.#world.ask('GET', 'exports', { as: 'nobody' });
    await this.#world.ask('GET', 'clip-host-check');
    await this.#world.ask('POST', 'token', { body: '{"clip_host_check": true}' });
    const chosen = this.#world.seen.filter((one) => hasStatus(one, statuses));
    if (!chosen.length) throw unchecked(`no ${statuses} was seen; the check does not provoke one`);
    for (const exchange of chosen) await this.#expect(exchange, `any ${expected}`);
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
      if (last.received.status === 200 && `${JSON.stringify(jsonOf(last))}` === '[]') {
        throw broken('the start was running, but the host answered that nothing was started', last);
      }
    },
    wait: async () => {
      const id = await this.#processing();
      const before = await this.#world.ask('GET', `exports?id=${encodeURIComponent(id)}`);
      const exchange = await this.#hold(id, holdSeconds);
      await this.#expect(exchange, `200 ids:${id}`);
      const { milliseconds, text, headers } = exchange.received;
      const isHeld = milliseconds >= holdSeconds * 1000 - 100;
      if (statusOf(exchange) !== 'processing' || (!isHeld && before.received.text !== text)) {
        throw unchecked('the export changed while it was watched: run the check again');
      }
      await this.#expect(exchange, `200 within:${holdSeconds + toleranceMs / 1000}`);
      const applied = headers['preference-applied'];
      if (applied === undefined) throw absent('the host does not hold requests; the page polls it');
      if (applied.replace(/\s/g, '') !== `wait=${holdSeconds}`) {
        throw broken(`Preference-Applied is "${applied}", not "wait=${holdSeconds}"`, exchange);
      }
      if (!isHeld)
        throw broken('Preference-Applied was sent, but the answer was not held', exchange);
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
      const { status, headers } = after.received;
      if (status === 200 && headers['preference-applied'] === undefined) {
        throw absent('the host does not hold requests');
      }
      await this.#expect(after, `200 ids:${id} within:${holdSeconds + toleranceMs / 1000}`);
    },
    settles: async () => {
      const id = this.#valueOf('first');
      const { maxWatchMs } = this.#world.options;
      const end = performance.now() + maxWatchMs;
      for (;;) {
        const exchange = await this.#hold(id, 25);
        await this.#expect(exchange, `200 ids:${id}`);
        const [found] = jsonOf(exchange) as Record<string, unknown>[];
        const { status, src_url, finished_at } = found!;
        if (status === 'ready' || status === 'error') {
          const lacks = status === 'ready' && typeof src_url !== 'string' ? 'src_url' : null;
          const field = lacks ?? (typeof finished_at === 'string' ? null : 'finished_at');
          if (field) throw broken(`the export is ${status} but has no ${field}`, exchange);
          return;
        }
        if (performance.now() > end) {
          throw broken(`after ${maxWatchMs / 1000} s the status is still ${status}`, exchange);
        }
        if (exchange.received.milliseconds < 2000) await pause(2000);
      }
    },
  };
}

/** The status of the export in an answer. */
function statusOf(exchange: Exchange): unknown {
  const [item] = [jsonOf(exchange)].flat();
  return isObject(item) ? item['status'] : undefined;
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
