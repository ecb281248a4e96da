import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/free-port.ts';
import { pythonWith } from './python.ts';
import { startProgram, type Program } from './program.ts';

const example = fileURLToPath(new URL('../../examples/hosts/django/', import.meta.url));
const password = 'only-for-tests-7f';

/** A Python that has Django, or null. */
export const djangoPython = (): string | null => pythonWith('django, sqlite3');

export interface DjangoLogin {
  readonly cookie: string;
  readonly csrfToken: string;
}

/** The example site in Django, as a process with its own database. */
export class DjangoSite {
  readonly #program: Program;
  readonly #data: string;

  private constructor(program: Program, data: string) {
    this.#program = program;
    this.#data = data;
  }

  /** `users` can log in. `env`: in addition to the address and key of the service. */
  static async open(
    service: { readonly baseUrl: string; readonly apiKey: string },
    users: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<DjangoSite> {
    const python = djangoPython();
    if (python === null) throw new Error('No Python has Django.');
    const data = await mkdtemp(join(tmpdir(), 'clip-django-'));
    const all = {
      CLIP_SERVICE_URL: service.baseUrl,
      CLIP_API_KEY: service.apiKey,
      DJANGO_SECRET_KEY: 'only-for-tests',
      DATA_DIR: data,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUNBUFFERED: '1',
      ...env,
    };
    const manage = (args: readonly string[], more: Readonly<Record<string, string>> = {}): void => {
      const { status, stderr } = spawnSync(python, ['manage.py', ...args], {
        cwd: example,
        env: { PATH: process.env['PATH'], ...all, ...more },
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`manage.py ${args[0]}: ${stderr}`);
    };
    try {
      manage(['migrate', '--verbosity', '0']);
      for (const user of users) {
        manage(['createsuperuser', '--noinput', '--username', user, '--email', 'x@example.com'], {
          DJANGO_SUPERUSER_PASSWORD: password,
        });
      }
      const port = await freePort();
      const args = ['manage.py', 'runserver', '--noreload', `127.0.0.1:${port}`];
      const program = await startProgram([python, ...args], { port, env: all, cwd: example });
      return new DjangoSite(program, data);
    } catch (error) {
      await rm(data, { recursive: true, force: true });
      throw error;
    }
  }

  get url(): string {
    return this.#program.url;
  }

  get said(): string {
    return this.#program.said();
  }

  async logIn(username: string): Promise<DjangoLogin> {
    const form = await fetch(`${this.url}/login/`);
    const token = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(await form.text())![1]!;
    const answer = await fetch(`${this.url}/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: form.headers.getSetCookie().map(pairOf).join('; ') },
      body: new URLSearchParams({ username, password, csrfmiddlewaretoken: token }),
    });
    if (answer.status !== 302) throw new Error(`The log-in was answered ${answer.status}.`);
    const cookie = answer.headers.getSetCookie().map(pairOf).join('; ');
    const fresh = await fetch(`${this.url}/clips/csrf-token`, { headers: { Cookie: cookie } });
    return { cookie, csrfToken: ((await fresh.json()) as { token: string }).token };
  }

  async close(): Promise<void> {
    await this.#program.stop();
    await rm(this.#data, { recursive: true, force: true });
  }
}

const pairOf = (cookie: string): string => cookie.split(';')[0]!;
