/*
 * Reads the page's styles for the page in a frame, as values that it can check. Loaded with the
 * first frame.
 */

type Rgb = readonly number[];

/** Colours without transparency, a length in pixels, names of families. */
export type Appearance = Readonly<
  Partial<
    Record<'accent' | 'onAccent' | 'surface' | 'text', Rgb> & {
      scheme: string;
      radius: number;
      font: readonly string[];
      header: 'none';
    }
  >
>;

/** Which property of the probe computes a colour. */
const colours = {
  accent: ['--clip-accent', 'background-color'],
  onAccent: ['--clip-on-accent', 'border-top-color'],
  surface: ['--clip-surface', 'border-right-color'],
  text: ['--clip-text', 'border-bottom-color'],
} as const;

/** A mix has its parts of red, green and blue as numbers, however the page wrote the colour. */
const mixes = Object.values(colours)
  .map(([name, property]) => `${property}:color-mix(in srgb,var(${name}) 100%,#000 0%)`)
  .join(';');

/*
 * Any change of what it computes is a transition, whatever the reason: a class anywhere around,
 * a media query, a style sheet. `Canvas` and `turn` notice a colour scheme, and that it is shown
 * again, during which a hidden element has no transitions. It has its final values from the start.
 */
const probeStyle = `position:absolute;visibility:hidden;width:0;height:0;outline-color:Canvas;border-radius:var(--clip-radius);order:var(--_header);font-family:var(--clip-font);${mixes};transition:all 1ms step-start!important;transition-behavior:allow-discrete!important;animation:turn 1ms!important`;

/** During a transition the browser may compute it in another colour space. */
function readColour(text: string): Rgb | undefined {
  if (!/^(?:rgb|color\(srgb )/.test(text)) return;
  const [red, green, blue, alpha = 1] = (text.match(/-?[\d.]+(?:e[-+]?\d+)?|none/g) ?? []).map(
    (part) => Number(part) || 0,
  );
  if (blue === undefined || alpha === 0) return;
  const largest = text.startsWith('color(') ? 1 : 255;
  return [red!, green!, blue].map((part) =>
    Math.round(255 * Math.min(1, Math.max(0, part / largest))),
  );
}

/** Names that the framed page accepts; others could not be names. */
const readFont = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((name) => /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._&+-]{0,63}$/u.test(name))
    .slice(0, 8);

function readAppearance(style: CSSStyleDeclaration): Appearance {
  const has = (name: string) => style.getPropertyValue(name) !== '';
  const font = has('--clip-font') ? readFont(style.fontFamily) : [];
  const radius = has('--clip-radius') && /^[\d.]+px$/.test(style.borderTopLeftRadius);
  const scheme = ['light', 'dark'].filter((name) => style.colorScheme?.includes(name)).join(' ');
  const entries = Object.entries(colours).map(([key, [name, property]]) => [
    key,
    has(name) ? readColour(style.getPropertyValue(property)) : undefined,
  ]);
  return {
    ...Object.fromEntries(entries),
    ...(scheme && { scheme }),
    ...(radius && { radius: Math.min(64, parseFloat(style.borderTopLeftRadius)) }),
    ...(font.length && { font }),
    ...(style.order === '1' && { header: 'none' as const }),
  };
}

/**
 * Passes on the page's colours, radius, font and colour scheme at each change, until `signal`
 * aborts. The returned function does it at once.
 */
export function followAppearance(
  element: Element,
  call: (appearance: Appearance) => void,
  signal: AbortSignal,
): () => void {
  const probe = document.createElement('span');
  probe.style.cssText = probeStyle;
  element.shadowRoot!.append(probe);
  signal.addEventListener('abort', () => probe.remove());
  const style = window.getComputedStyle(probe);
  let sent = '{}';
  const send = (isAgain: boolean): void => {
    const appearance = readAppearance(style);
    const text = JSON.stringify(appearance);
    // A page that sets nothing has nothing to say, and may frame a player of another kind.
    if (text === sent && (!isAgain || text === '{}')) return;
    sent = text;
    call(appearance);
  };
  const changed = () => send(false);
  probe.addEventListener('transitionend', changed);
  probe.addEventListener('animationstart', changed);
  return () => send(true);
}
