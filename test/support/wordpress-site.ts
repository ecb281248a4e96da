import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestListener } from 'node:http';
import type { Page } from 'puppeteer-core';
import { installPackages } from '../../tools/install-packages.mjs';
import { freePort } from '../../tools/free-port.ts';
import { nodeHandler } from '../../packages/host/src/adapters/node.ts';
import { createClipHost, memoryStore } from '../../packages/host/src/index.ts';
import { sessionSecret } from '../sites/packed-kit.ts';
import { startProgram, type Program } from './program.ts';

const script = fileURLToPath(new URL('wordpress/serve.sh', import.meta.url));
/** Of every user. */
export const wordpressPassword = 'only-for-tests-7f';

/** Installs Debian's packages of WordPress, PHP and MariaDB if they are missing. */
export function installWordPressPackages(): void {
  const found =
    existsSync('/usr/share/wordpress/wp-load.php') &&
    existsSync('/usr/share/wordpress/wp-content/themes/twentytwentythree') &&
    existsSync('/usr/sbin/mariadbd') &&
    spawnSync('php', [
      '-r',
      'exit(extension_loaded("mysqli") && extension_loaded("curl") ? 0 : 1);',
    ]).status === 0;
  if (!found) installPackages('wordpress');
}

/** A host at `/host`, for the sessions of a site of this origin. */
export const sessionHost = (
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  origin: string,
): RequestListener =>
  nodeHandler(
    createClipHost({
      service: { baseUrl, apiKey },
      basePath: '/host',
      origins: [origin],
      sessions: { secrets: [sessionSecret] },
      store: memoryStore(),
      log: () => {},
    }),
  ) as RequestListener;

/** The program that serves a WordPress site; `serve.sh` says by which variables. */
export const wordpressCommand = [script];

/**
 * A real WordPress with the plugin, and its users: `admin`, the editor `eva`, the author `ann`, and
 * the subscribers `mia` and `ben`.
 */
export class WordPressSite {
  readonly port: number;
  readonly #program: Program;
  readonly #directory: string;

  private constructor(program: Program, port: number, directory: string) {
    this.#program = program;
    this.port = port;
    this.#directory = directory;
  }

  /** `zip`: the plugin, which is unpacked and not yet activated. */
  static async open(directory: string, origin: string, zip: string): Promise<WordPressSite> {
    installWordPressPackages();
    const port = await freePort();
    const env = {
      SITE: directory,
      SITE_ORIGIN: origin,
      PLUGIN_ZIP: zip,
      SITE_PASSWORD: wordpressPassword,
      PHP_CLI_SERVER_WORKERS: '6',
    };
    const program = await startProgram(wordpressCommand, { port, env });
    return new WordPressSite(program, port, directory);
  }

  /** The rows of a statement, each with tabs between its values. */
  sql(statement: string): string[] {
    const args = ['--no-defaults', `--socket=${join(this.#directory, 'db.sock')}`];
    const found = execFileSync(
      'mariadb',
      [...args, '-uwordpress', '-pwordpress', '-N', '-e', statement, 'wordpress'],
      { encoding: 'utf8' },
    );
    return found.split('\n').filter(Boolean);
  }

  /** What PHP has written to its logs. */
  async said(): Promise<string> {
    const logs = ['php.log', 'debug.log'].map((name) => join(this.#directory, name));
    const texts = await Promise.all(logs.map((path) => readFile(path, 'utf8').catch(() => '')));
    return texts.join('');
  }

  close(): Promise<void> {
    return this.#program.stop();
  }
}

/** Logs a user in through WordPress's form. */
export async function logIntoWordPress(page: Page, origin: string, user: string): Promise<void> {
  await page.goto(`${origin}/wp-login.php`);
  // The page puts the focus into its first field a moment later.
  await page.evaluate(
    (name, text) => {
      document.querySelector<HTMLInputElement>('#user_login')!.value = name;
      document.querySelector<HTMLInputElement>('#user_pass')!.value = text;
    },
    user,
    wordpressPassword,
  );
  await Promise.all([page.waitForNavigation(), page.click('#wp-submit')]);
  if (page.url().includes('wp-login.php')) throw new Error(`${user} could not log in.`);
}

/** Clicks when it has come to rest. */
export const press = (page: Page, selector: string): Promise<void> =>
  page.locator(selector).click();

/** Opens a new post with this title, and inserts the block with this name as people do. */
export async function insertBlock(
  page: Page,
  origin: string,
  title: string,
  name: string,
): Promise<void> {
  await page.goto(`${origin}/wp-admin/post-new.php`);
  await page.waitForSelector('.editor-post-title__input');
  await page.type('.editor-post-title__input', title);
  await page.keyboard.press('Enter');
  // The focus goes on to a new paragraph.
  await page.waitForFunction(() => {
    const at = document.activeElement as HTMLElement;
    return at.isContentEditable && !at.matches('.editor-post-title__input');
  });
  await page.keyboard.type('/clip');
  // The list of blocks moves while it is narrowed down.
  await press(page, `xpath/.//button[@role="option"][normalize-space()="${name}"]`);
}

/**
 * Publishes the post in the editor, and returns its address. Presses again each second, because one
 * click had no effect once: perhaps the panel was still sliding in.
 */
export async function publishPost(page: Page): Promise<string> {
  const published = await page.waitForFunction(
    () => {
      const find = (selector: string) => document.querySelector<HTMLElement>(selector);
      const link = find('.post-publish-panel__postpublish-header a') as HTMLAnchorElement | null;
      const button =
        find('.editor-post-publish-panel .editor-post-publish-button') ??
        find('.editor-post-publish-panel__toggle');
      if (!link) button?.click();
      return link?.href;
    },
    { polling: 1000 },
  );
  return (await published.jsonValue())!;
}
