import { baseLanguage } from '../../words/language-code.ts';

/** Codes of the languages that multilingual models know. */
const known: ReadonlySet<string> = new Set(
  (
    'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ' +
    'ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn ' +
    'so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo yue zh'
  ).split(' '),
);

/** Where BCP 47 uses another code. */
const others: Readonly<Record<string, string>> = { cmn: 'zh', fil: 'tl', jv: 'jw', nb: 'no' };

/** The code that whisper.cpp uses for a language (BCP 47); null if it does not know it. */
export function whisperLanguage(code: string): string | null {
  const base = baseLanguage(code);
  const own = others[base] ?? base;
  return known.has(own) ? own : null;
}
