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

/** The codes in the answer of `/languages`: `[{code, name, targets}]`. */
function readLanguages(answer: unknown): { code: string; targets: string[] }[] {
  return (Array.isArray(answer) ? answer : []).flatMap((item: unknown) => {
    const { code, targets } = (item ?? {}) as { code?: unknown; targets?: unknown };
    if (typeof code !== 'string') return [];
    const list = Array.isArray(targets) ? targets.filter((one) => typeof one === 'string') : [];
    return [{ code, targets: list }];
  });
}

/** Translates with a LibreTranslate-compatible server. Its methods throw {@link RemoteError}. */
export function createLibreTranslate(config: TranslationServer): Translator {
  const server: RemoteServer = {
    name: 'translation server',
    settings: 'TRANSLATE',
    apiKey: config.apiKey,
  };
  const base = config.url.replace(/(?<!\/)\/+$/, '');
  const timeoutMs = config.timeoutMs ?? 120_000;

  const languages = async (signal: AbortSignal) => {
    const found = readLanguages(
      await callJson(server, {
        url: `${base}/languages`,
        signal,
        timeoutMs: Math.min(timeoutMs, 15_000),
      }),
    );
    if (found.length > 0) return found;
    const message = 'The translation server lists no languages at /languages. Check TRANSLATE_URL.';
    throw new RemoteError('bad-answer', message);
  };

  const ask = async (
    texts: readonly string[],
    pair: { source: string; target: string },
    signal: AbortSignal,
  ): Promise<string[]> => {
    let list: string[] | null = null;
    try {
      const answer = await callJson(server, {
        url: `${base}/translate`,
        body: makeJsonBody({
          q: texts,
          ...pair,
          format: 'text',
          ...(config.apiKey && { api_key: config.apiKey }),
        }),
        signal,
        timeoutMs,
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
    const first = await ask(texts.slice(0, half), pair, signal);
    return [...first, ...(await ask(texts.slice(half), pair, signal))];
  };

  return {
    async targets(signal) {
      const all = await languages(signal);
      return [...new Set(all.flatMap(({ code, targets }) => (targets.length ? targets : [code])))];
    },
    async translate(texts, { from, to, signal, onProgress }) {
      const known = await languages(signal);
      const codes = known.flatMap(({ code, targets }) => (targets.length ? targets : [code]));
      const target = matchCode(to, codes);
      if (!target) {
        const message = `The translation server does not translate to ${to}. Choose another language.`;
        throw new RemoteError('refused', message);
      }
      const spoken = known.map(({ code }) => code);
      const source = (from && matchCode(from, spoken)) || 'auto';
      const translated: string[] = [];
      for (const part of splitIntoBatches(texts)) {
        translated.push(...(await ask(part, { source, target }, signal)));
        onProgress?.(translated.length / texts.length);
      }
      return translated;
    },
  };
}
