/** The part of `custom-elements.json` that the playground shows. */
export interface ElementInfo {
  readonly tagName: string;
  readonly attributes: readonly AttributeInfo[];
  readonly events?: readonly { readonly name: string }[];
}

export interface AttributeInfo {
  readonly name: string;
  readonly description?: string;
  readonly default?: string;
  readonly type?: { readonly text: string };
}

export interface Manifest {
  readonly modules: readonly { readonly declarations?: readonly object[] }[];
}

export const listElements = ({ modules }: Manifest): ElementInfo[] =>
  modules
    .flatMap(({ declarations = [] }) => declarations)
    .filter((one): one is ElementInfo => 'tagName' in one);

export type Control =
  | { readonly kind: 'text' | 'number' }
  | { readonly kind: 'flag'; readonly preset: boolean }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/** The control that fits the type of an attribute. */
export function chooseControl({ type, default: preset }: AttributeInfo): Control {
  const text = type?.text ?? '';
  if (text === 'boolean') return { kind: 'flag', preset: preset === 'true' };
  const words = [...text.matchAll(/'([^']+)'/g)].map(([, word]) => word!);
  if (words.length) return { kind: 'words', words };
  return { kind: /^number\b/.test(text) ? 'number' : 'text' };
}

/** The value of a flag's attribute: null (no attribute) if it is as by default. */
export const formatFlag = (on: boolean, preset: boolean): string | null =>
  on === preset ? null : on ? '' : 'false';
