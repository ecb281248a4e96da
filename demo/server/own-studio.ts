const port = 8080;

/** Where {@link writeOwnStudio} has its pages. */
export const ownStudioOrigin = `http://localhost:${port}`;

interface Places {
  readonly kitUrl: string;
  readonly serviceUrl: string;
  /** Path of the file with the secret that signs sessions. */
  readonly secretFile: string;
}

/**
 * A program for Node, without packages: a page on which a signed-in person uploads videos and gets
 * clips, and the address that signs who that person is.
 */
export const writeOwnStudio = ({ kitUrl, serviceUrl, secretFile }: Places): string => `\
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const secret = readFileSync(${JSON.stringify(secretFile)}, 'utf8').trim();
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const session = (userId, iat = Math.floor(Date.now() / 1000)) => {
  const claims = { aud: 'clip-host', sub: userId, iat, exp: iat + 900 };
  const text = part({ alg: 'HS256', typ: 'JWT' }) + '.' + part(claims);
  return text + '.' + createHmac('sha256', secret).update(text).digest('base64url');
};
const page = \`<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <meta name="color-scheme" content="light dark">
  <title>My studio</title>
  <link rel="icon" href="data:,">
  <script type="module" src="${kitUrl}"></script>
  <clip-config endpoint="${serviceUrl}/host" session="/clip-session" player-url="${serviceUrl}" app-url="${serviceUrl}">
    <clip-create for="videos"></clip-create>
    <clip-videos id="videos" for="clips"></clip-videos>
    <clip-list id="clips"></clip-list>
  </clip-config>
</html>\`;

createServer((request, response) => {
  const user = 'me'; // Your own log-in; without one: response.writeHead(401).end()
  const isSession = request.url === '/clip-session';
  response.setHeader('Content-Type', isSession ? 'application/json' : 'text/html');
  response.setHeader('Cache-Control', 'no-store');
  response.end(isSession ? JSON.stringify({ session: session(user) }) : page);
}).listen(${port}, () => console.log('${ownStudioOrigin}'));
`;
