// Runs on Node 20 with nothing installed: the setup needs it first.
import { spawnSync } from 'node:child_process';

/** What is not from npm: its name for a person, Debian's packages, and how other systems get it. */
const programs = {
  ffmpeg: { what: 'ffmpeg', packages: ['ffmpeg'], elsewhere: 'brew install ffmpeg-full' },
  fonts: { what: 'Fonts', packages: ['fonts-noto-core', 'fonts-noto-color-emoji'], elsewhere: '' },
  // 90 MB: for the tests of captions in Chinese, Japanese and Korean.
  eastAsianFonts: { what: 'East Asian fonts', packages: ['fonts-noto-cjk'], elsewhere: '' },
  browser: {
    what: 'A Chromium browser',
    packages: ['chromium-headless-shell'],
    elsewhere: 'brew install --cask chromium, and set CHROME_PATH',
  },
  // Where it is there, the tests use it before the smaller one: it does more of what Chrome does,
  // such as to ask for the icon of each page.
  fullBrowser: {
    what: 'Chromium',
    packages: ['chromium'],
    elsewhere: 'brew install --cask chromium, and set CHROME_PATH',
  },
  firefox: {
    what: 'Firefox',
    packages: ['firefox-esr'],
    elsewhere: 'brew install --cask firefox, and set FIREFOX_PATH',
  },
  webkit: {
    what: 'WebKit with its driver and a display',
    packages: ['webkit2gtk-driver', 'xvfb'],
    elsewhere: 'use a Linux machine or container, as WebKitGTK is for Linux alone',
  },
  webkitDecoders: {
    what: "WebKit's decoders",
    packages: ['gstreamer1.0-libav'],
    elsewhere: '',
  },
  postgres: {
    what: 'A Postgres server',
    packages: ['postgresql'],
    elsewhere: 'brew install postgresql@15',
  },
  pgbouncer: { what: 'PgBouncer', packages: ['pgbouncer'], elsewhere: 'brew install pgbouncer' },
  redis: { what: 'A Redis server', packages: ['redis-server'], elsewhere: 'brew install redis' },
  nginx: { what: 'nginx', packages: ['nginx-light'], elsewhere: 'brew install nginx' },
  swift: {
    what: 'An S3 server',
    packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'],
    elsewhere: 'use Debian or Ubuntu, as Swift is for Linux only',
  },
  php: {
    what: 'PHP',
    packages: ['php-cli', 'php-curl', 'php-sqlite3'],
    elsewhere: 'brew install php',
  },
  django: { what: 'Django', packages: ['python3-django'], elsewhere: 'pip install Django' },
  flask: { what: 'Flask', packages: ['python3-flask'], elsewhere: 'pip install flask' },
  fastapi: {
    what: 'FastAPI',
    packages: ['python3-fastapi', 'python3-uvicorn', 'python3-itsdangerous'],
    elsewhere: 'pip install fastapi uvicorn itsdangerous',
  },
  go: { what: 'Go', packages: ['golang-go'], elsewhere: 'brew install go' },
  ruby: { what: 'Ruby', packages: ['ruby'], elsewhere: 'brew install ruby' },
  java: {
    what: 'Java with Spring and Jackson',
    packages: ['default-jdk-headless', 'libspring-web-java', 'libjackson2-databind-java'],
    elsewhere: 'only on Debian or Ubuntu',
  },
  elixir: { what: 'Elixir', packages: ['elixir'], elsewhere: 'brew install elixir' },
  ytDlp: { what: 'yt-dlp', packages: ['yt-dlp'], elsewhere: 'brew install yt-dlp' },
  perl: { what: 'Perl', packages: ['perl'], elsewhere: 'brew install perl' },
  // With promtool, which checks the alerts.
  prometheus: {
    what: 'Prometheus',
    packages: ['prometheus'],
    elsewhere: 'brew install prometheus',
  },
  hugo: { what: 'Hugo', packages: ['hugo'], elsewhere: 'brew install hugo' },
  wordpress: {
    what: 'WordPress with MariaDB',
    packages: [
      'wordpress',
      'wordpress-theme-twentytwentythree',
      'mariadb-server',
      'php-cli',
      'php-mysql',
      'php-curl',
    ],
    elsewhere: 'only on Debian or Ubuntu',
  },
  dokuwiki: {
    what: 'DokuWiki',
    packages: ['dokuwiki', 'php-cli'],
    elsewhere: 'only on Debian or Ubuntu',
  },
  mediawiki: {
    what: 'MediaWiki',
    packages: ['mediawiki', 'php-cli', 'php-curl', 'php-sqlite3'],
    elsewhere: 'only on Debian or Ubuntu',
  },
};

/** What is missing, in one line, with the command that installs it. */
export class Missing extends Error {}

let listed = false;

const linux = process.platform === 'linux';

/** Whether this process may install Debian packages: on Linux with apt-get, as root. */
const mayInstall = () =>
  linux && process.getuid?.() === 0 && spawnSync('apt-get', ['-v']).error === undefined;

function aptGet(what, packages) {
  console.log(`Installing ${what} (apt-get install ${packages.join(' ')}) ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Waits for another apt-get, such as the system's own updates.
  const quiet = ['-qq', '-o', 'DPkg::Lock::Timeout=-1'];
  if (!listed) spawnSync('apt-get', ['update', ...quiet], { env });
  listed = true;
  const done = spawnSync(
    'apt-get',
    ['install', '-y', ...quiet, '--no-install-recommends', ...packages],
    { env, encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  if (done.status !== 0) {
    throw new Missing(
      `${what} could not be installed. Try: apt-get install -y ${packages.join(' ')}\n${done.stderr.trim()}`,
    );
  }
}

/**
 * Installs a program if this process may. Otherwise, or if it fails, throws {@link Missing}.
 *
 * @param {keyof typeof programs} name
 */
export function installPackages(name) {
  const { what, packages, elsewhere } = programs[name];
  if (!mayInstall()) {
    const command = linux ? `sudo apt-get install -y ${packages.join(' ')}` : elsewhere;
    throw new Missing(`${what} is missing. Install it: ${command}`);
  }
  aptGet(what, packages);
}

/** Installs everything that is missing, in one go, if this process may. */
export function installAllPackages() {
  if (!mayInstall()) return;
  const all = [...new Set(Object.values(programs).flatMap(({ packages }) => packages))];
  const asked = ['-W', '-f', '${db:Status-Status} ${Package}\n', ...all];
  const known = spawnSync('dpkg-query', asked, { encoding: 'utf8' }).stdout.split('\n');
  const missing = all.filter((name) => !known.includes(`installed ${name}`));
  if (missing.length) aptGet('what the tests need', missing);
}
