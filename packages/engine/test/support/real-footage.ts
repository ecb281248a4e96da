import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Videos of real people, which stand beside a checkout: they may go into no package. */
const footage = fileURLToPath(new URL('../../../../../shared/real/footage', import.meta.url));

export const realFootage = (name: string): string => `${footage}/${name}`;

/** Options of a test that needs the footage. */
export const withFootage = {
  skip: existsSync(footage) ? false : 'the real footage is not beside this checkout',
};
