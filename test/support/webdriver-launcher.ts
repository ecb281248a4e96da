import { WebDriverSession } from 'clip-testkit/webdriver-session';

/** How WebDriver writes keys without a character; all others are written as they are. */
const keyCodes: Readonly<Record<string, string>> = {
  Enter: '\uE007',
  Escape: '\uE00C',
  Shift: '\uE008',
  Tab: '\uE004',
  Space: ' ',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowUp: '\uE013',
  ArrowDown: '\uE015',
};

/**
 * Runs web-test-runner's pages in a browser behind a WebDriver server, one after the other in its
 * only window.
 *
 * @param name what the reports call the browser
 * @param server URL of the WebDriver server
 */
export function webdriverLauncher(name: string, server: string | undefined) {
  const session = new WebDriverSession(server);
  const shown = new Map<string, string>();

  const press = async (key: string, ...types: readonly ('keyDown' | 'keyUp')[]): Promise<void> => {
    const actions = types.map((type) => ({ type, value: keyCodes[key] ?? key }));
    await session.command('POST', '/actions', {
      actions: [{ type: 'key', id: 'keyboard', actions }],
    });
  };
  const keyboard = {
    down: (key: string) => press(key, 'keyDown'),
    up: (key: string) => press(key, 'keyUp'),
    press: (key: string) => press(key, 'keyDown', 'keyUp'),
  };

  return {
    name,
    // The runner's commands hold and release keys only for browsers of this kind. They use only
    // these parts of a page.
    type: 'puppeteer',
    getPage: () => ({ keyboard }),
    concurrency: 1,
    isActive: (id: string): boolean => shown.has(id),
    getBrowserUrl: (id: string): string | undefined => shown.get(id),
    async startSession(id: string, url: string): Promise<void> {
      shown.set(id, url);
      await session.command('POST', '/url', { url });
    },
    async stopSession(id: string): Promise<object> {
      shown.delete(id);
      // Ends what still runs in the page.
      await session.command('POST', '/url', { url: 'about:blank' });
      return {};
    },
    startDebugSession(): Promise<void> {
      return Promise.reject(new Error(`There is no debugging in ${name} here.`));
    },
    stop: () => session.close(),
  };
}
