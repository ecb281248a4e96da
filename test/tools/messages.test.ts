import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { findMessages } from '../../tools/messages.ts';

/** The texts of a file of the repository, each after its kind. */
const list = (path: string, code = readFileSync(path, 'utf8')): string[] =>
  findMessages(path, code).map(({ kind, text }) => `${kind}: ${text}`);

const assertListed = (path: string, expected: RegExp): void =>
  assert.ok(
    list(path).some((message) => expected.test(message)),
    `${path}: no ${expected}`,
  );

describe('npm run messages', () => {
  it('finds errors, titles, command lines, tools, descriptions of routes and the interface', () => {
    assertListed('packages/service/src/api/app.ts', /^error: There is nothing at this address\./);
    assertListed('src/contract/problem.ts', /^other: Clip not found$/);
    assertListed('packages/service/src/worker/scan.ts', /^other: No filler words were removed/);
    assertListed('packages/engine/src/cli/main.ts', /^command line: .*\nUsage\n/s);
    assertListed('packages/mcp/src/tools/videos.ts', /^tool: List the videos$/);
    assertListed('packages/service/src/api/tasks.ts', /^OpenAPI: Edit a single video/);
    assertListed('packages/host/src/routes/routes.ts', /^OpenAPI: The clips of a folder$/);
    assertListed('packages/player/src/locales/editor-en.json', /^interface: Undo$/);
    assertListed('test/locales/english.ts', /^interface: Making clips…$/);
  });

  it('shows inserted values, joins sums, and leaves out code', () => {
    assert.deepEqual(
      list(
        'a.ts',
        'throw new Error(`No user ${id}. ` + "Add one.");\n' +
          'query("select id from users where id = $1");\nconst path = "/users/:id";',
      ),
      ['error: No user {id}. Add one.'],
    );
  });
});
