import type { Plan, ServiceConfig } from './config.ts';
import { readRemotes } from './environment-remotes.ts';

/** The environment does not fit; the message lists every variable that is wrong, one sentence each. */
export class EnvironmentError extends Error {
  override name = 'EnvironmentError';
}

const readPort = (text: string | undefined, problems: string[]): number => {
  if (text === undefined) return 4400;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65535) return port;
  problems.push(`PORT must be a whole number from 0 to 65535 (0: any free port), not "${text}".`);
  return 4400;
};

const readPublicUrl = (text: string | undefined, problems: string[]): string | undefined => {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) {
    return url.href.replace(/\/+$/, '');
  }
  problems.push(
    `PUBLIC_URL must be the http or https address that browsers reach the service at, such as https://clips.example.com, not "${text}".`,
  );
  return undefined;
};

const readKey = (text: string | undefined, problems: string[]): string | undefined => {
  if (text === undefined) return undefined;
  if (/^[A-Za-z0-9._~+/=-]{16,256}$/.test(text)) return text;
  // The value is a secret: it is described, never shown.
  problems.push(
    'CLIP_API_KEY must be 16 to 256 characters of A-Z a-z 0-9 . _ ~ + / = - (leave it unset to have one made).',
  );
  return undefined;
};

const readDatabaseUrl = (text: string | undefined, problems: string[]): string | undefined => {
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol)) return text;
  problems.push(
    'DATABASE_URL must be a postgres:// address (leave it unset to use the database that is built in).',
  );
  return undefined;
};

const readFlag = (name: string, text: string | undefined, problems: string[]): boolean => {
  if (text === undefined || text === '0' || text === 'false') return false;
  if (text === '1' || text === 'true') return true;
  problems.push(`${name} must be 1 or 0, not "${text}".`);
  return false;
};

const readCount = (
  name: string,
  text: string | undefined,
  problems: string[],
): number | undefined => {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  problems.push(`${name} must be a whole number from 1 to 999, not "${text}".`);
  return undefined;
};

/** In mebibytes; given in bytes. */
const readMemory = (text: string | undefined, problems: string[]): number | undefined => {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{2,6}$/.test(text) && Number(text) >= 512) return Number(text) * 1024 ** 2;
  problems.push(
    `CLIP_PROGRAM_MEMORY_MB must be a whole number from 512 to 9999999, not "${text}".`,
  );
  return undefined;
};

const readChoice = <T extends string>(
  name: string,
  text: string | undefined,
  choices: readonly T[],
  problems: string[],
): T | undefined => {
  const choice = choices.find((one) => one === text);
  if (text !== undefined && choice === undefined) {
    problems.push(`${name} must be one of ${choices.join(', ')}, not "${text}".`);
  }
  return choice;
};

const readAllowance = (text: string | undefined, problems: string[]): number | null | undefined => {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  problems.push(`CLIP_EXPORT_ALLOWANCE must be a whole number or "none", not "${text}".`);
  return undefined;
};

const readPlan = (
  read: (name: string) => string | undefined,
  problems: string[],
): Partial<Plan> | undefined => {
  const plan = readChoice('CLIP_PLAN', read('CLIP_PLAN'), ['free', 'paid'], problems);
  const states = ['active', 'paused', 'past_due'] as const;
  const state = readChoice('CLIP_PLAN_STATE', read('CLIP_PLAN_STATE'), states, problems);
  const exportAllowance = readAllowance(read('CLIP_EXPORT_ALLOWANCE'), problems);
  const given = {
    ...(plan !== undefined && { plan }),
    ...(state !== undefined && { state }),
    ...(exportAllowance !== undefined && { exportAllowance }),
  };
  return Object.keys(given).length > 0 ? given : undefined;
};

/**
 * The service's configuration from environment variables: PORT, DATA_DIR, PUBLIC_URL, CLIP_API_KEY, DATABASE_URL,
 * PRESETS_DIR, CLIP_ALLOW_PRIVATE_SOURCES, CLIP_CONCURRENCY, CLIP_PROGRAM_MEMORY_MB, CLIP_PLAN, CLIP_PLAN_STATE, CLIP_EXPORT_ALLOWANCE, SPEECH_*,
 * OFFLINE_SPEECH, FACES, TRANSLATE_*, RANKING_*. An empty variable counts as unset.
 * Throws {@link EnvironmentError} that names everything that is wrong at once.
 */
export const readEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
): ServiceConfig => {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const problems: string[] = [];
  const port = readPort(read('PORT'), problems);
  const publicUrl = readPublicUrl(read('PUBLIC_URL'), problems);
  const apiKey = readKey(read('CLIP_API_KEY'), problems);
  const databaseUrl = readDatabaseUrl(read('DATABASE_URL'), problems);
  const concurrency = readCount('CLIP_CONCURRENCY', read('CLIP_CONCURRENCY'), problems);
  const allowPrivateSources = readFlag(
    'CLIP_ALLOW_PRIVATE_SOURCES',
    read('CLIP_ALLOW_PRIVATE_SOURCES'),
    problems,
  );
  const programMemory = readMemory(read('CLIP_PROGRAM_MEMORY_MB'), problems);
  const presetsDir = read('PRESETS_DIR');
  const plan = readPlan(read, problems);
  const remotes = readRemotes(read, problems);
  const offlineSpeech = readChoice(
    'OFFLINE_SPEECH',
    read('OFFLINE_SPEECH'),
    ['off', 'english', 'assume-english'] as const,
    problems,
  );
  const faces = readChoice('FACES', read('FACES'), ['auto', 'off'] as const, problems);
  if (problems.length > 0) throw new EnvironmentError(problems.join('\n'));
  return {
    port,
    dataDir: read('DATA_DIR') ?? '.data/service',
    allowPrivateSources,
    ...(presetsDir !== undefined && { presetsDir }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(apiKey !== undefined && { apiKey }),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(plan !== undefined && { plan }),
    ...(concurrency !== undefined && { concurrency }),
    ...(programMemory !== undefined && { programMemory }),
    ...remotes,
    ...(offlineSpeech !== undefined && { offlineSpeech }),
    ...(faces !== undefined && { faces }),
  };
};
