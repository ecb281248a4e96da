import { statuses } from 'clip-kit/contract';
import { isObject } from './exchange.ts';

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Whether a value is an ISO 8601 date and time with an offset. */
export const isDateTime = (value: unknown): boolean =>
  typeof value === 'string' && dateTime.test(value) && !Number.isNaN(Date.parse(value));

interface Kind {
  readonly words: string;
  fits(value: unknown): boolean;
}

const orNull = (kind: Kind): Kind => ({
  words: `${kind.words} or null`,
  fits: (value) => value === null || kind.fits(value),
});
const id: Kind = {
  words: 'a non-empty string',
  fits: (value) => typeof value === 'string' && value !== '',
};
const text: Kind = { words: 'a string', fits: (value) => typeof value === 'string' };
const date: Kind = { words: 'an ISO 8601 date and time with an offset', fits: isDateTime };
const yesOrNo: Kind = { words: 'true or false', fits: (value) => typeof value === 'boolean' };
const address: Kind = {
  words: 'an http or https URL',
  fits: (value) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
};
const number: Kind = { words: 'a number', fits: (value) => typeof value === 'number' };

const exportFields: Readonly<Record<string, Kind>> = {
  id,
  status: {
    words: statuses.join(', '),
    fits: (value) => (statuses as readonly unknown[]).includes(value),
  },
  src_url: orNull(address),
  estimated_ready_at: orNull(date),
  project_id: id,
  created_at: date,
  finished_at: orNull(date),
  name: text,
  author_id: text,
  folder_id: orNull(id),
  descriptions: orNull(text),
  watermarked: orNull(yesOrNo),
};

const projectFields: Readonly<Record<string, Kind>> = {
  id,
  author_id: text,
  folder_id: orNull(id),
  name: text,
  created_at: date,
  virality_score: orNull(number),
  virality_score_explanation: orNull(text),
};

function misfit(fields: Readonly<Record<string, Kind>>, value: unknown): string | null {
  if (!isObject(value)) return 'it is not a JSON object';
  for (const [name, kind] of Object.entries(fields)) {
    if (!(name in value)) return `"${name}" is missing (an empty field must be null, not omitted)`;
    if (!kind.fits(value[name])) {
      return `"${name}" is ${JSON.stringify(value[name])}, but should be ${kind.words}`;
    }
  }
  return null;
}

/** Why a value is not a normalised Export Object, or null if it is one. */
export const exportMisfit = (value: unknown): string | null => misfit(exportFields, value);

/** Why a value is not a normalised Project Object, or null if it is one. */
export const projectMisfit = (value: unknown): string | null => misfit(projectFields, value);
