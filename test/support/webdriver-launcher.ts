/** How WebDriver writes keys without a character; all others are written as they are. */
const keyCodes: Readonly<Record<string, string>> = {
  Enter: '\uE007',
  Escape: '\uE00C',
  Shift: '\uE008',
  Tab: '\uE004',
  Space: ' ',
};

/**
 * Runs web-test-runner's pages in a browser behind a WebDriver server, one after the other in its
 * only window.
 *
 * @param name what the reports call the browser
 * @param server URL of the WebDriver server
 */
export function webdriverLauncher(name: string, server: string | undefined) {
  let session: Promise<string> | undefined;
  const shown = new Map<string, string>();

  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${server}/session${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: T & { message?: string } };
    if (!response.ok) throw new Error(`WebDriver ${method} ${path}: ${value.message}`);
    return value;
  };

  const open = async (): Promise<string> => {
    if (!server) throw new Error('WEBDRIVER_URL is not set: run this by `npm run test:webkit`.');
    const made = await send<{ sessionId: string }>('POST', '', {
      capabilities: { alwaysMatch: {} },
    });
    return made.sessionId;
  };

  const command = async <T>(method: string, path: string, body?: object): Promise<T> =>
    send<T>(method, `/${await (session ??= open())}${path}`, body);

  const press = async (key: string, ...types: readonly ('keyDown' | 'keyUp')[]): Promise<void> => {
    const actions = types.map((type) => ({ type, value: keyCodes[key] ?? key }));
    await command('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
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
      await command('POST', '/url', { url });
    },
    async stopSession(id: string): Promise<object> {
      shown.delete(id);
      // Ends what still runs in the page.
      await command('POST', '/url', { url: 'about:blank' });
      return {};
    },
    startDebugSession(): Promise<void> {
      return Promise.reject(new Error(`There is no debugging in ${name} here.`));
    },
    async stop(): Promise<void> {
      if (session) await command('DELETE', '');
      session = undefined;
    },
  };
}
