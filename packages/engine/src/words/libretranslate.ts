import { callJson, makeJsonBody, RemoteError, type RemoteServer } from '../remote/remote-call.ts';
import { matchCode, type Translator } from './translation.ts';

export interface TranslationServer {
  /** Base address. `/translate` and `/languages` are added to it. */
  url: string;
  apiKey?: string | undefined;
  /**
   * Maximum time for one request.
   * @default 120_000
   */
  timeoutMs?: number;
}

/** Maximum sentences and characters in one request: servers limit both. */
const maxBatchSentences = 40;
const maxBatchCharacters = 4000;

/**
 * Splits a list so that no part is too large. A text that is too long is sent in its own request.
 */
export function splitIntoBatches(texts: readonly string[]): string[][] {
  const parts: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const part = parts.at(-1);
    if (
      !part ||
      part.length >= maxBatchSentences ||
      characters + text.length > maxBatchCharacters
    ) {
      parts.push([text]);
      characters = text.length;
    } else {
      part.push(text);
      characters += text.length;
    }
  }
  return parts;
}

/** The translations in an answer; null if there is not one for each text. */
export function readTranslations(answer: unknown, count: number): string[] | null {
  const given = (answer as { translatedText?: unknown } | null)?.translatedText;
  const list = typeof given === 'string' && count === 1 ? [given] : given;
  if (!Array.isArray(list) || list.length !== count) return null;
  return list.every((text) => typeof text === 'string')
    ? list.map((text: string) => text.replace(/[\p{Cc}\s]+/gu, ' ').trim())
    : null;
}

interface Language {
  code: string;
  targets: string[];
}

/** The codes in the answer of `/languages`: `[{code, name, targets}]`. */
function readLanguages(answer: unknown): Language[] {
  return (Array.isArray(answer) ? answer : []).flatMap((item: unknown) => {
    const { code, targets } = (item ?? {}) as { code?: unknown; targets?: unknown };
    if (typeof code !== 'string') return [];
    const list = Array.isArray(targets) ? targets.filter((one) => typeof one === 'string') : [];
    return [{ code, targets: list }];
  });
}

const listTargets = (languages: readonly Language[]): string[] =>
  languages.flatMap(({ code, targets }) => (targets.length > 0 ? targets : [code]));

/** Translates with a LibreTranslate-compatible server. Its methods throw {@link RemoteError}. */
export const createLibreTranslate = (config: TranslationServer): Translator =>
  new LibreTranslate(config);

class LibreTranslate implements Translator {
  readonly #server: RemoteServer;
  readonly #base: string;
  readonly #timeoutMs: number;

  constructor({ url, apiKey, timeoutMs = 120_000 }: TranslationServer) {
    this.#server = { name: 'translation server', settings: 'TRANSLATE', apiKey };
    this.#base = url.replace(/(?<!\/)\/+$/, '');
    this.#timeoutMs = timeoutMs;
  }

  async targets(signal: AbortSignal): Promise<string[]> {
    return [...new Set(listTargets(await this.#readLanguages(signal)))];
  }

  async translate(
    texts: readonly string[],
    { from, to, signal, onProgress }: Parameters<Translator['translate']>[1],
  ): Promise<string[]> {
    const known = await this.#readLanguages(signal);
    const target = matchCode(to, listTargets(known));
    if (!target) {
      const message = `The translation server does not translate to ${to}. Choose another language.`;
      throw new RemoteError('refused', message);
    }
    const spoken = known.map(({ code }) => code);
    const source = (from && matchCode(from, spoken)) || 'auto';
    const translated: string[] = [];
    for (const part of splitIntoBatches(texts)) {
      translated.push(...(await this.#translateBatch(part, { source, target }, signal)));
      onProgress?.(translated.length / texts.length);
    }
    return translated;
  }

  async #readLanguages(signal: AbortSignal): Promise<Language[]> {
    const found = readLanguages(
      await callJson(this.#server, {
        url: `${this.#base}/languages`,
        signal,
        timeoutMs: Math.min(this.#timeoutMs, 15_000),
      }),
    );
    if (found.length > 0) return found;
    const message = 'The translation server lists no languages at /languages. Check TRANSLATE_URL.';
    throw new RemoteError('bad-answer', message);
  }

  async #translateBatch(
    texts: readonly string[],
    pair: { source: string; target: string },
    signal: AbortSignal,
  ): Promise<string[]> {
    const { apiKey } = this.#server;
    let list: string[] | null = null;
    try {
      const answer = await callJson(this.#server, {
        url: `${this.#base}/translate`,
        body: makeJsonBody({
          q: texts,
          ...pair,
          format: 'text',
          ...(apiKey && { api_key: apiKey }),
        }),
        signal,
        timeoutMs: this.#timeoutMs,
      });
      list = readTranslations(answer, texts.length);
    } catch (error) {
      // Probably over the server's limits, which are not known before the request.
      const large = error instanceof RemoteError && (error.status === 413 || error.status === 400);
      if (!large || texts.length === 1) throw error;
    }
    if (list) return list;
    if (texts.length === 1) {
      const message = 'The translation server answered without a translation. Check TRANSLATE_URL.';
      throw new RemoteError('bad-answer', message);
    }
    const half = Math.ceil(texts.length / 2);
    const first = await this.#translateBatch(texts.slice(0, half), pair, signal);
    return [...first, ...(await this.#translateBatch(texts.slice(half), pair, signal))];
  }
}
