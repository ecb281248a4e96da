import { fileURLToPath } from 'node:url';
import {
  installWordPressPackages,
  logIntoWordPress,
  wordpressCommand,
  wordpressPassword,
} from '../../support/wordpress-site.ts';
import type { Site } from '../site.ts';

const zip = fileURLToPath(new URL('../../../tools/wordpress-zip.ts', import.meta.url));

export default {
  title: 'WordPress',
  rendered: 'server',
  host: 'sessions',
  prepare: installWordPressPackages,
  // The plugin with the script of the packed kit.
  build: [process.execPath, zip, 'node_modules/clip-kit/dist/cdn'],
  serve: {
    command: wordpressCommand,
    env: {
      SITE: 'site',
      SITE_SETUP: 'setup.php',
      PLUGIN_ZIP: 'clip-kit.zip',
      SITE_PASSWORD: wordpressPassword,
      PHP_CLI_SERVER_WORKERS: '6',
    },
  },
  paths: { home: '/', clip: '/clip/' },
  logIn: (page, origin) => logIntoWordPress(page, origin, 'mia'),
} satisfies Site;
