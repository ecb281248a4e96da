/** A window of a browser behind a WebDriver server. It opens with the first command. */
export class WebDriverSession {
  readonly #server: string | undefined;
  #id: Promise<string> | undefined;

  /** @param server URL of the WebDriver server */
  constructor(server: string | undefined) {
    this.#server = server;
  }

  async command<T>(method: string, path: string, body?: object): Promise<T> {
    return this.#send<T>(method, `/${await (this.#id ??= this.#open())}${path}`, body);
  }

  async close(): Promise<void> {
    if (this.#id) await this.command('DELETE', '');
    this.#id = undefined;
  }

  async #open(): Promise<string> {
    if (!this.#server) throw new Error('WEBDRIVER_URL is not set: run `npm run test:webkit`.');
    const made = await this.#send<{ sessionId: string }>('POST', '', {
      capabilities: { alwaysMatch: {} },
    });
    return made.sessionId;
  }

  async #send<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.#server}/session${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as {
      value: T & { error?: string; message?: string };
    };
    if (!response.ok) {
      throw new Error(`WebDriver ${method} ${path}: ${value.error}: ${value.message}`);
    }
    return value;
  }
}
