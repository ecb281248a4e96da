/**
 * The blocks of `docs/sign-in.md` and `docs/sign-in/`, cut out of the pages and run: each signs a
 * session for a logged-in user, and answers 401 if there is none. A driver calls the block as its
 * framework does, and prints one line for each user: the status, `[Cache-Control]`, the body.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Sessions } from '../../packages/host/src/sessions/sessions.ts';
import { installPackages } from '../../tools/install-packages.mjs';
import { shownFiles, type ShownFile } from '../docs/shown-files.ts';
import { djangoModules, fastapiModules, flaskModules, pythonWith } from '../support/python.ts';

/** Whether the command runs and succeeds. */
const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

const languages = {
  php: () => works('php', '-v'),
  django: () => pythonWith(djangoModules) !== null,
  flask: () => pythonWith(flaskModules) !== null,
  fastapi: () => pythonWith(fastapiModules) !== null,
  ruby: () => works('ruby', '-ropenssl', '-rjson', '-e', ''),
  go: () => works('go', 'version'),
  java: () => works('javac', '-version') && existsSync('/usr/share/java/spring3-web.jar'),
  elixir: () => works('elixir', '--version'),
  perl: () => works('perl', '-MJSON::PP', '-MDigest::SHA', '-e', ''),
} as const;
for (const [name, isThere] of Object.entries(languages)) {
  if (!isThere()) installPackages(name as keyof typeof languages);
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const driver = (name: string): string => join(root, 'test/sign-in/drivers', name);
const { secret } = JSON.parse(
  await readFile(join(root, 'packages/host/sign-in.vectors.json'), 'utf8'),
) as { secret: string };

interface Block {
  readonly page: string;
  /** What of the page is written into the directory. */
  readonly files: readonly string[];
  /** A site whose `app/` is there before. */
  readonly site?: string;
  /** Each to its end; the last one gets the users as its arguments. */
  readonly commands: readonly (readonly string[])[];
}

const jars = ['jackson-annotations', 'jackson-core', 'jackson-databind', 'commons-logging'];
const springs = ['spring3-beans', 'spring3-core', 'spring3-web'];
const classes = ['.', ...[...jars, ...springs].map((name) => `/usr/share/java/${name}.jar`)];
const classPath = classes.join(':');
const python = (modules: string, file: string): string[][] => [
  [pythonWith(modules) ?? 'python3', driver(file)],
];
const php = (which: string, file: string): Block => ({
  page: 'sign-in/php',
  files: [file],
  commands: [['php', driver('php.php'), which, file]],
});

const blocks: Readonly<Record<string, Block>> = {
  'Node with Express': {
    page: 'sign-in',
    files: ['clip-session.js'],
    commands: [['node', driver('node.mjs')]],
  },
  PHP: php('php', 'clip-session.php'),
  'Laravel, with a stand-in for its functions': php('laravel', 'routes/web.php'),
  'WordPress, with a stand-in for its functions': php(
    'wordpress',
    'wp-content/mu-plugins/clip-session.php',
  ),
  Django: {
    page: 'sign-in/python',
    files: ['clip_session.py', 'mysite/urls.py'],
    site: 'django',
    commands: python(djangoModules, 'django_site.py'),
  },
  Flask: {
    page: 'sign-in/python',
    files: ['clip_session.py', 'app.py'],
    site: 'flask',
    commands: python(flaskModules, 'flask_site.py'),
  },
  FastAPI: {
    page: 'sign-in/python',
    files: ['clip_session.py', 'main.py'],
    site: 'fastapi',
    commands: python(fastapiModules, 'fastapi_site.py'),
  },
  'Ruby, with a stand-in for Sinatra': {
    page: 'sign-in/ruby',
    files: ['clip_session.rb', 'app.rb'],
    commands: [['ruby', driver('sinatra.rb')]],
  },
  'Rails, with a stand-in for its controller': {
    page: 'sign-in/ruby',
    files: ['app/controllers/clip_sessions_controller.rb'],
    commands: [['ruby', driver('rails.rb')]],
  },
  Go: {
    page: 'sign-in/go-java-csharp',
    files: ['clip_session.go'],
    commands: [
      ['go', 'mod', 'init', 'site'],
      ['cp', driver('go.go'), 'main.go'],
      ['go', 'run', '-buildvcs=false', '.'],
    ],
  },
  'Java with Spring': {
    page: 'sign-in/go-java-csharp',
    files: ['ClipSessionController.java'],
    commands: [
      ['javac', '-cp', classPath, '-d', '.', 'ClipSessionController.java', driver('Spring.java')],
      ['java', '-cp', classPath, 'Spring'],
    ],
  },
  'Elixir, with a stand-in for Phoenix': {
    page: 'sign-in/elixir-perl',
    files: ['clip_session_controller.ex'],
    commands: [['elixir', driver('phoenix.exs')]],
  },
  Perl: {
    page: 'sign-in/elixir-perl',
    files: ['clip_session.psgi'],
    commands: [['perl', driver('psgi.pl')]],
  },
};

const shownOn = async (page: string): Promise<readonly ShownFile[]> =>
  shownFiles(await readFile(join(root, `docs/${page}.md`), 'utf8'));

/** Writes the files of a block into a directory, runs it for these users, and returns its lines. */
async function linesOf(block: Block, users: readonly string[]): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'clip-sign-in-'));
  try {
    if (block.site) {
      await cp(join(root, `test/sites/${block.site}/app`), directory, { recursive: true });
    }
    const shown = await shownOn(block.page);
    for (const path of block.files) {
      const file = shown.find((one) => one.path === path);
      assert.ok(file, `docs/${block.page}.md shows no ${path}`);
      const place = join(directory, path);
      await mkdir(dirname(place), { recursive: true });
      await (file.atEnd ? appendFile : writeFile)(place, `${file.text}`);
    }
    const env = {
      ...process.env,
      CLIP_HOST_SECRET: secret,
      SECRET_KEY: 'only-for-tests',
      LC_ALL: 'C.UTF-8',
      PYTHONDONTWRITEBYTECODE: '1',
    };
    let printed = '';
    for (const [at, command] of block.commands.entries()) {
      const [program = '', ...args] = command;
      if (at === block.commands.length - 1) args.push(...users);
      const ended = spawnSync(program, args, { cwd: directory, env, encoding: 'utf8' });
      assert.equal(ended.status, 0, `${program}: ${ended.error?.message}\n${ended.stderr}`);
      printed = ended.stdout;
    }
    return printed.trim().split('\n');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const host = new Sessions({ secrets: [secret] }, Date.now);

/** The host accepts the session, for this user; and it has what the pages say, and nothing else. */
async function checkSession(session: string, user: string): Promise<void> {
  const headers = { Authorization: `Bearer ${session}` };
  const { userId } = await host.read(new Request('https://clips.example/host/', { headers }));
  assert.equal(userId, user);
  const [header, claims] = session
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as { iat: number });
  assert.deepEqual(header, { alg: 'HS256', typ: 'JWT' });
  const { iat, ...others } = claims!;
  assert.ok(Number.isInteger(iat) && Math.abs(iat - Date.now() / 1000) < 60, `${iat}`);
  assert.deepEqual(others, { aud: 'clip-host', exp: iat + 900, sub: user });
}

const users = ['42', 'Zoë "Łuczak" \\ 王小明 🎬>?~'];

describe('the block of the documentation in', () => {
  for (const [name, block] of Object.entries(blocks)) {
    it(`${name} signs a session for who is logged in, and for nobody else`, async () => {
      const lines = await linesOf(block, [...users, '']);
      const answers = lines.map((line) => /^(\d+) \[(.*?)\] ?(.*)$/.exec(line) ?? [line]);
      const said = lines.join('\n');
      assert.equal(answers.length, users.length + 1, said);
      for (const [at, user] of users.entries()) {
        const [, status, cache = '', body = ''] = answers[at]!;
        assert.equal(status, '200', said);
        assert.match(cache, /\bno-store\b/);
        await checkSession((JSON.parse(body) as { session: string }).session, user);
      }
      const [, status, , body = ''] = answers.at(-1)!;
      assert.equal(status, '401', said);
      assert.doesNotMatch(body, /session/);
    });
  }

  it('C#, which is not run but read, has the same steps', async () => {
    const [{ text } = { text: '' }] = (await shownOn('sign-in/go-java-csharp')).filter(
      ({ path }) => path === 'Program.cs',
    );
    for (const step of [
      /CacheControl = "no-store"/,
      /userId is null\) return Results\.Json\(new \{ \}, statusCode: 401\)/,
      /TrimEnd\('='\)\.Replace\('\+', '-'\)\.Replace\('\/', '_'\)/,
      /aud = "clip-host", exp = now \+ 900, iat = now, sub = userId \}/,
      /"\{\\"alg\\":\\"HS256\\",\\"typ\\":\\"JWT\\"\}"/,
      /GetEnvironmentVariable\("CLIP_HOST_SECRET"\)/,
      /HMACSHA256\.HashData\(secret, utf8\.GetBytes\(text\)\)/,
      /new \{ session = \$"\{text\}\.\{Part\(signature\)\}" \}/,
    ]) {
      assert.match(text, step);
    }
  });
});
