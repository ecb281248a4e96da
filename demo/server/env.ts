import { resolve } from 'node:path';
import type { ServiceConfig } from '../../packages/service/src/config/config.ts';
import { readEnvironment } from '../../packages/service/src/config/environment.ts';
import { readPorts, type DemoPorts } from './ports.mjs';

/** The settings of the service's engine; the demo decides all other settings of the service. */
export type EngineSettings = Pick<
  ServiceConfig,
  'speech' | 'speechModel' | 'translation' | 'ranking' | 'faces' | 'presetsDir'
>;

export interface DemoEnv extends DemoPorts {
  /** The directory of all data. */
  dataDir: string;
  /** Passed on to the service. */
  engine: EngineSettings;
}

const engineVariable =
  /^(?:(?:SPEECH|TRANSLATE|RANKING)_(?:URL|API_KEY|MODEL)|SPEECH_MODEL_URL|XDG_CACHE_HOME|FACES|PRESETS_DIR)$/;

/** The service reads its own variables, but must not see the demo's PORT and DATA_DIR. */
function readEngineSettings(env: NodeJS.ProcessEnv): EngineSettings {
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

/**
 * Reads PORT (4300), SERVICE_PORT (4400), DATA_DIR (`.data`), and for the service SPEECH_*,
 * TRANSLATE_*, RANKING_*, FACES and PRESETS_DIR. Throws a `TypeError` or an
 * `EnvironmentError` that names the invalid setting.
 */
export const readDemoEnv = (env: NodeJS.ProcessEnv): DemoEnv => ({
  ...readPorts(env),
  dataDir: resolve(env.DATA_DIR || '.data'),
  engine: readEngineSettings(env),
});
