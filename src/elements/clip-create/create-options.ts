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

const drawCheck = (
  place: Place,
  name: keyof CreateElement,
  [key, english]: Text,
  isReversed = true,
): TemplateResult =>
  html`<label part="check"
    ><input
      type="checkbox"
      .checked=${isReversed !== place.element[name]}
      @change=${({ target }: Event) =>
        writeOption(place, name, isReversed !== (target as HTMLInputElement).checked)}
    /><span>${place.page.text(key, english)}</span></label
  >`;

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

/** A number that the service may decide; only for several clips. */
function drawCount(
  place: Place,
  name: 'count' | 'length',
  text: Text,
  counts: readonly number[],
  label: (value: number) => string,
): TemplateResult | null {
  if (place.element.kind !== 'shorts') return null;
  const all = withOwn(counts, place.element[name]).map((one): Choice => [`${one}`, label(one)]);
  return drawSelect(place, name, text, [makeAutomatic(place), ...all]);
}

const makeAutomatic = ({ page }: Place): Choice => ['', page.text('create-automatic', 'Automatic')];

const drawKind = (place: Place): TemplateResult =>
  drawSelect(
    place,
    'kind',
    ['create-kind', 'Make'],
    [
      ['shorts', place.page.text('create-kind-shorts', 'Several clips')],
      ['video', place.page.text('create-kind-video', 'One edited video')],
    ],
  );

function drawClipCount(place: Place, language: string): TemplateResult | null {
  const format = getNumberFormat(language, {});
  const upTo = (count: number): string =>
    place.page.text('create-up-to', 'Up to {0}', format.format(count));
  return drawCount(place, 'count', ['create-count', 'Number of clips'], [3, 5, 10, 20], upTo);
}

function drawLength(place: Place, language: string): TemplateResult | null {
  const format = getNumberFormat(language, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'long',
  });
  const about = (seconds: number): string =>
    place.page.text('create-about', 'About {0}', format.format(seconds));
  const lengths = [20, 30, 45, 60, 90];
  return drawCount(place, 'length', ['create-length', 'Length of a clip'], lengths, about);
}

function drawTranslation(place: Place, language: string): TemplateResult {
  const none: Choice = ['', place.page.text('create-none', 'Do not translate')];
  const text: Text = ['create-translation', 'Translate captions'];
  return drawSelect(place, 'translateTo', text, [none, ...listLanguages(language)]);
}

/** Each option's field; null if it does not apply. `language`: of the names of its choices. */
const fields: Readonly<Record<string, (place: Place, language: string) => TemplateResult | null>> =
  {
    kind: drawKind,
    topics: (place) => (place.element.kind === 'shorts' ? drawTopics(place) : null),
    count: drawClipCount,
    length: drawLength,
    language: (place, language) =>
      drawSelect(
        place,
        'language',
        ['create-language', 'Language spoken'],
        [makeAutomatic(place), ...listLanguages(language)],
      ),
    translation: drawTranslation,
    shape: drawShape,
    captions: (place) => drawCheck(place, 'noCaptions', ['create-captions', 'Captions']),
    emoji: (place) => drawCheck(place, 'noEmojis', ['create-emoji', 'Emoji']),
    title: (place) => drawCheck(place, 'noTitle', ['create-title', 'Title']),
    silences: (place) =>
      drawCheck(place, 'removeSilences', ['create-silences', 'Cut out silences'], false),
    fillers: (place) =>
      drawCheck(place, 'removeFillers', ['create-fillers', 'Cut out filler words'], false),
  };

/** Draws the fields of these options. A choice is written to the element's own attributes. */
export const drawOptionFields = (
  element: CreateElement,
  page: PageController,
  shown: readonly string[],
): TemplateResult[] =>
  optionNames
    .filter((name) => shown.includes(name))
    .map((name) => fields[name]?.({ element, page }, page.textLanguage('create-count')) ?? null)
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
