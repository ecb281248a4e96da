import { html, type ReactiveController, type TemplateResult } from 'lit';
import { getNumberFormat } from '../../locales/number-format.ts';
import type { Messages } from '../../locales/messages.ts';
import type { PageController } from '../settings/page-controller.ts';
import type { CreateElement, StylePreset } from './clip-create-events.ts';
import { loadPart } from '../../client/clip-error.ts';

/** The options that a user can choose, in the shown order. */
export const optionNames = [
  ...['kind', 'topics', 'count', 'length', 'language', 'translation', 'shape'],
  ...['captions', 'emoji', 'title', 'silences', 'fillers', 'style'],
] as const;

/** Languages that the recognisers of speech know well. */
const languages =
  'ar bg ca cs da de el en es fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tr uk vi zh';

type Choice = readonly [value: string, label: string];

function listLanguages(language: string): Choice[] {
  let names: Intl.DisplayNames | null = null;
  try {
    names = new Intl.DisplayNames([language, 'en'], { type: 'language' });
  } catch {
    // The codes themselves.
  }
  return languages
    .split(' ')
    .map((code): Choice => [code, names?.of(code) ?? code])
    .sort(([, a], [, b]) => a.localeCompare(b, language));
}

/** Also with the value that the site itself has set. */
const withOwn = (values: readonly number[], own: number | null): number[] =>
  [...new Set([...values, own ?? values[0]!])].sort((one, other) => one - other);

/** A text of the page: its key, and what it is in English. */
type Text = [key: keyof Messages, english: string];

/** Where a field stands, and whose options it changes. */
interface Place {
  readonly element: CreateElement;
  readonly page: PageController;
}

function writeOption({ element }: Place, name: keyof CreateElement, value: unknown): void {
  (element as unknown as Record<string, unknown>)[name] = value;
}

function drawSelect(
  place: Place,
  name: keyof CreateElement,
  [key, english]: Text,
  choices: readonly Choice[],
): TemplateResult {
  const value = `${(place.element[name] as unknown) ?? ''}`;
  // A value of the site itself is a choice, too.
  const all = choices.some(([one]) => one === value)
    ? choices
    : [...choices, [value, value] as Choice];
  return html`<label class="option"
    ><span>${place.page.text(key, english)}</span
    ><select
      part="field"
      @change=${({ target }: Event) =>
        writeOption(place, name, (target as HTMLSelectElement).value || null)}
    >
      ${all.map(
        ([one, label]) => html`<option value=${one} ?selected=${one === value}>${label}</option>`,
      )}
    </select></label
  >`;
}

/** The options that are on or off: whether the property turns it off, and its text. */
const checks: Readonly<Record<string, readonly [keyof CreateElement, boolean, ...Text]>> = {
  captions: ['noCaptions', true, 'create-captions', 'Captions'],
  emoji: ['noEmojis', true, 'create-emoji', 'Emoji'],
  title: ['noTitle', true, 'create-title', 'Title'],
  silences: ['removeSilences', false, 'create-silences', 'Cut out silences'],
  fillers: ['removeFillers', false, 'create-fillers', 'Cut out filler words'],
};

function drawCheck(place: Place, option: string): TemplateResult | null {
  const check = checks[option];
  if (!check) return null;
  const [name, isReversed, ...text] = check;
  return html`<label part="check"
    ><input
      type="checkbox"
      .checked=${isReversed !== place.element[name]}
      @change=${({ target }: Event) =>
        writeOption(place, name, isReversed !== (target as HTMLInputElement).checked)}
    /><span>${place.page.text(...text)}</span></label
  >`;
}

const drawTopics = (place: Place): TemplateResult =>
  html`<label class="option wide"
    ><span>${place.page.text('create-topics', 'What should the clips be about?')}</span
    ><input
      part="field"
      class="topics"
      maxlength="1000"
      placeholder=${place.page.text('create-topics-hint', 'Anything, or words separated by commas')}
      .value=${place.element.topics ?? ''}
      @change=${({ target }: Event) =>
        writeOption(place, 'topics', (target as HTMLInputElement).value.trim() || null)}
  /></label>`;

const shapes: readonly [string, ...Text][] = [
  ['9:16', 'create-upright', 'Upright'],
  ['4:5', 'create-portrait', 'Portrait'],
  ['1:1', 'create-square', 'Square'],
  ['16:9', 'create-wide', 'Wide'],
];

function drawShape(place: Place): TemplateResult {
  const choices = shapes.map(([shape, ...text], at): Choice => {
    const label = `${place.page.text(...text)} (${shape})`;
    // Upright is what the service makes if nothing is said.
    return [at || place.element.shape === shape ? shape : '', label];
  });
  return drawSelect(place, 'shape', ['create-shape', 'Shape'], choices);
}

/** A number that the service may decide. Several clips have one, a whole video has none. */
function drawCount(place: Place, language: string, name: 'count' | 'length'): TemplateResult {
  const { page, element } = place;
  const isLength = name === 'length';
  const unit = { style: 'unit', unit: 'second', unitDisplay: 'long' } as const;
  const format = getNumberFormat(language, isLength ? unit : {});
  const label: Text = isLength ? ['create-about', 'About {0}'] : ['create-up-to', 'Up to {0}'];
  const counts = isLength ? [20, 30, 45, 60, 90] : [3, 5, 10, 20];
  return drawSelect(
    place,
    name,
    isLength ? ['create-length', 'Length of a clip'] : ['create-count', 'Number of clips'],
    [
      ['', page.text('create-automatic', 'Automatic')],
      ...withOwn(counts, element[name]).map((one): Choice => [
        `${one}`,
        page.text(...label, format.format(one)),
      ]),
    ],
  );
}

/** Draws the field of an option; null if it does not apply. */
function drawField(place: Place, name: string): TemplateResult | null {
  const { page, element } = place;
  const language = page.textLanguage('create-count');
  switch (name) {
    case 'kind':
      return drawSelect(
        place,
        name,
        ['create-kind', 'Make'],
        [
          ['shorts', page.text('create-kind-shorts', 'Several clips')],
          ['video', page.text('create-kind-video', 'One edited video')],
        ],
      );
    case 'topics':
      return element.kind === 'shorts' ? drawTopics(place) : null;
    case 'count':
    case 'length':
      return element.kind === 'shorts' ? drawCount(place, language, name) : null;
    case 'language':
      return drawSelect(
        place,
        name,
        ['create-language', 'Language spoken'],
        [['', page.text('create-automatic', 'Automatic')], ...listLanguages(language)],
      );
    case 'translation':
      return drawSelect(
        place,
        'translateTo',
        ['create-translation', 'Translate captions'],
        [['', page.text('create-none', 'Do not translate')], ...listLanguages(language)],
      );
    case 'shape':
      return drawShape(place);
    default:
      return drawCheck(place, name);
  }
}

/** Draws the fields of these options. A choice is written to the element's own attributes. */
export const drawOptionFields = (
  element: CreateElement,
  page: PageController,
  shown: readonly string[],
): TemplateResult[] =>
  optionNames
    .filter((name) => shown.includes(name))
    .map((name) => drawField({ element, page }, name))
    .filter((field) => field !== null);

/**
 * The styles of captions, each with its picture. The code that draws them is loaded with the first
 * list.
 */
export class StyleChoice implements ReactiveController {
  readonly #element: CreateElement;
  readonly #page: PageController;
  #read: readonly StylePreset[] = [];
  #address: string | null = null;
  #picture: ((preset: StylePreset) => TemplateResult) | null = null;

  constructor(element: CreateElement, page: PageController) {
    this.#element = element;
    this.#page = page;
    element.addController(this);
  }

  hostUpdate(): void {
    const { presets, presetsUrl } = this.#element;
    const address = presets ? '' : presetsUrl;
    if (!this.#page.connected || address === this.#address) return;
    this.#address = address;
    if (address !== null) void this.#load(address);
  }

  async #load(address: string): Promise<void> {
    try {
      const { drawPreset: presetPicture, readPresets } = await loadPart(
        import('./preset-pictures.ts'),
      );
      if (address) this.#read = await readPresets(address);
      this.#picture = presetPicture;
      this.#element.requestUpdate();
    } catch {
      // A task needs no choice of style.
    }
  }

  render(): TemplateResult | null {
    const element = this.#element;
    const presets = element.presets ?? this.#read;
    const picture = this.#picture;
    if (!presets.length || !picture) return null;
    return html`<fieldset class="styles">
      <legend>${this.#page.text('create-style', 'Style')}</legend>
      ${presets.map(
        (preset) =>
          html`<label part="style"
            ><input
              type="radio"
              name="style"
              class="visually-hidden"
              .checked=${preset.id === element.presetId}
              @change=${() => (element.presetId = preset.id)}
            />${picture(preset)}<span>${preset.name}</span></label
          >`,
      )}
    </fieldset>`;
  }
}
