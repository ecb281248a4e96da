/** The route in Express, which stands in `node_modules` of the project. */
import { pathToFileURL } from 'node:url';
import express from 'express';

const { clipSessionRoute } = await import(pathToFileURL('clip-session.js').href);
const app = express();
app.use((request, response, next) => {
  const userId = decodeURIComponent(request.query.user);
  request.session = userId ? { userId } : null;
  next();
});
app.get('/clip-session', clipSessionRoute);
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
for (const user of process.argv.slice(2)) {
  const url = `http://127.0.0.1:${server.address().port}/clip-session?user=${encodeURIComponent(user)}`;
  const answer = await fetch(url);
  console.log(`${answer.status} [${answer.headers.get('Cache-Control')}] ${await answer.text()}`);
}
server.close();
