import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The browser that tests run in: `CHROME_PATH`, else the first one found on the path. */
export const browserPath = () => {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  for (const name of ['chromium', 'chromium-headless-shell', 'google-chrome']) {
    for (const directory of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(directory, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not here.
      }
    }
  }
  throw new Error(
    'No browser found: install chromium (apt-get install chromium-headless-shell), or set CHROME_PATH.',
  );
};
