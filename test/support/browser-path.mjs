import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program of one of these names is on the path, the first name first; null where there is none. */
const onPath = (names) => {
  for (const name of names) {
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
  return null;
};

/** The browser that tests run in: `CHROME_PATH`, else the first one found on the path. */
export const browserPath = () => {
  const path =
    process.env.CHROME_PATH || onPath(['chromium', 'chromium-headless-shell', 'google-chrome']);
  if (path) return path;
  throw new Error(
    'No browser found: install chromium (apt-get install chromium-headless-shell), or set CHROME_PATH.',
  );
};

/** The Firefox that tests run in: `FIREFOX_PATH`, else the first one found on the path. */
export const firefoxPath = () => {
  const path = process.env.FIREFOX_PATH || onPath(['firefox-esr', 'firefox']);
  if (path) return path;
  throw new Error(
    'No Firefox found: install it (apt-get install firefox-esr), or set FIREFOX_PATH.',
  );
};

/** What WebKit is driven with, and the display that its browser needs: both are on the path where they are installed. */
export const webkitPaths = () => {
  const driver = onPath(['WebKitWebDriver']);
  const display = onPath(['Xvfb']);
  if (driver && display) return { driver, display };
  throw new Error(
    'No WebKit found: install WebKitGTK’s driver and Xvfb (apt-get install webkit2gtk-driver xvfb).',
  );
};
