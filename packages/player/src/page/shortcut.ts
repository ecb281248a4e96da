/** What a key does. */
export type Shortcut =
  | { readonly action: 'toggle' | 'mute' | 'fullscreen' | 'captions' | 'help' }
  | { readonly action: 'seek-by'; readonly seconds: number }
  | { readonly action: 'seek-to'; readonly share: number }
  | { readonly action: 'volume-by'; readonly percent: number }
  | { readonly action: 'speed-by'; readonly steps: 1 | -1 };

const shortcuts: ReadonlyMap<string, Shortcut> = new Map<string, Shortcut>([
  [' ', { action: 'toggle' }],
  ['k', { action: 'toggle' }],
  ['arrowleft', { action: 'seek-by', seconds: -5 }],
  ['arrowright', { action: 'seek-by', seconds: 5 }],
  ['j', { action: 'seek-by', seconds: -10 }],
  ['l', { action: 'seek-by', seconds: 10 }],
  ['arrowup', { action: 'volume-by', percent: 5 }],
  ['arrowdown', { action: 'volume-by', percent: -5 }],
  ['m', { action: 'mute' }],
  ['f', { action: 'fullscreen' }],
  ['c', { action: 'captions' }],
  ['<', { action: 'speed-by', steps: -1 }],
  ['>', { action: 'speed-by', steps: 1 }],
  ['?', { action: 'help' }],
]);

/** The shortcut of a key, as `KeyboardEvent` names it; null if it has none. */
export function shortcutOf(key: string): Shortcut | null {
  if (/^[0-9]$/.test(key)) return { action: 'seek-to', share: Number(key) / 10 };
  return shortcuts.get(key.toLowerCase()) ?? null;
}
