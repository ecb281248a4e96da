import { resolve } from 'node:path';
import type { ServiceConfig } from '../../service/src/config/config.ts';
import { readEnvironment } from '../../service/src/config/environment.ts';

/** The settings of the service's engine; the demo decides all other settings of the service. */
export type EngineSettings = Pick<
  ServiceConfig,
  'speech' | 'speechModel' | 'translation' | 'ranking' | 'faces' | 'presetsDir'
>;

export interface DemoEnv {
  /** Port of the site. */
  port: number;
  /** Port of the service that it starts. */
  servicePort: number;
  /** The directory of all data. */
  dataDir: string;
  /** Passed on to the service. */
  engine: EngineSettings;
}

const engineVariable =
  /^(?:(?:SPEECH|TRANSLATE|RANKING)_(?:URL|API_KEY|MODEL)|SPEECH_MODEL_URL|XDG_CACHE_HOME|FACES|PRESETS_DIR)$/;

/** The service reads its own variables, but must not see the demo's PORT and DATA_DIR. */
function engineSettings(env: NodeJS.ProcessEnv): EngineSettings {
  const own = Object.entries(env).filter(([name]) => engineVariable.test(name));
  const { speech, speechModel, translation, ranking, faces, presetsDir } = readEnvironment(
    Object.fromEntries(own),
  );
  return {
    ...(speech && { speech }),
    ...(speechModel && { speechModel }),
    ...(translation && { translation }),
    ...(ranking && { ranking }),
    ...(faces && { faces }),
    ...(presetsDir !== undefined && { presetsDir }),
  };
}

function portOf(name: string, text: string | undefined, preset: number): number {
  if (text === undefined || text === '') return preset;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`${name} must be a port number, 0 to 65535 (0: any free one)`);
  }
  return port;
}

/**
 * Reads PORT (4300), SERVICE_PORT (4400), DATA_DIR (`.data`), and for the service SPEECH_*,
 * TRANSLATE_*, RANKING_*, FACES and PRESETS_DIR. Throws a `TypeError` or an
 * `EnvironmentError` that names the invalid setting.
 */
export const readDemoEnv = (env: NodeJS.ProcessEnv): DemoEnv => ({
  port: portOf('PORT', env.PORT, 4300),
  servicePort: portOf('SERVICE_PORT', env.SERVICE_PORT, 4400),
  dataDir: resolve(env.DATA_DIR || '.data'),
  engine: engineSettings(env),
});
