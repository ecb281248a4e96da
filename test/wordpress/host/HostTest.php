<?php
declare(strict_types=1);

use ClipKit\Host\{Attempt, ClipHost, Download, PdoStore, Request, Service};

$host = fn (FakeHttp $http, mixed ...$options): ClipHost => new ClipHost(...$options + [
    'service' => new Service('https://service.example/v2', 'key', $http),
    'store' => new PdoStore(new PDO('sqlite::memory:')),
    'authenticate' => fn () => 'ann',
    'log' => fn () => null,
]);
$post = fn (string $path, mixed $body, array $headers = []): Request => new Request('POST', "/clips/$path", '', $headers + [
    'sec-fetch-site' => 'same-origin', 'content-type' => 'application/json', 'idempotency-key' => 'attempt-key-1',
], json_encode($body));
$call = fn (string $method, string $path, string $query = '', array $headers = []): Request =>
    new Request($method, "/clips/$path", $query, $headers + ['sec-fetch-site' => 'same-origin']);

return [
    'two hosts in one process are independent' => function () use ($host, $post) {
        same($host(new FakeHttp(), authenticate: fn () => null)->handle($post('token', (object) []))->status, 401);
        same($host(new FakeHttp())->handle($post('token', (object) []))->status, 200);
    },
    'a download has a safe name' => function () {
        foreach (['' => 'clip', 'a.mp4' => 'a', '../b' => '_b', "a\r\nb: c" => 'a__b_%20c', 'März "1"' => 'M%C3%A4rz%20_1_',
            str_repeat('ä', 90) => str_repeat('%C3%A4', 80), "\xff" => 'clip'] as $name => $wanted) {
            same(explode("''", Download::attachment((string) $name))[1], "$wanted.mp4");
        }
        same(Download::attachment('März'), "attachment; filename=\"M_rz.mp4\"; filename*=UTF-8''M%C3%A4rz.mp4");
    },
    'a key belongs to one body' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp());
        same($one->handle($post('exports', ['project_id' => 'p']))->status, 201);
        same($one->handle($post('exports', ['project_id' => 'q']))->status, 409);
        same(count($http->exports), 1);
    },
    'a watermark of the page is sent with its defaults' => function () use ($host, $post) {
        $mark = ['src_url' => 'https://x.example/a.png', 'pos_x' => 0];
        same($host($http = new FakeHttp())->handle($post('exports', ['project_id' => 'p', 'watermark' => $mark]))->status, 201);
        same(json_decode($http->exports[0]['sent'], true),
            ['watermark' => ['src_url' => $mark['src_url'], 'pos_x' => 0.0, 'pos_y' => 0.5, 'scale' => 1.0]]);
    },
    'a start without options is sent as an object' => function () use ($host, $post) {
        $host($http = new FakeHttp())->handle($post('exports', ['project_id' => 'p']));
        same($http->exports[0]['sent'], '{}');
    },
    'the site chooses the options, whatever the page asks' => function () use ($host, $post) {
        $host($http = new FakeHttp(), exportOptions: fn ($asked, $user) => ['preset_id' => "of-$user"])
            ->handle($post('exports', ['project_id' => 'p']));
        same($http->exports[0]['sent'], '{"preset_id":"of-ann"}');
    },
    'wrong options of the site start nothing' => function () use ($host, $post) {
        $answer = $host($http = new FakeHttp(), exportOptions: fn () => ['watermark' => []])->handle($post('exports', ['project_id' => 'p']));
        same([$answer->status, $http->exports], [500, []]);
    },
    'a refusal of the site starts nothing' => function () use ($host, $post) {
        $answer = $host($http = new FakeHttp(), authorize: fn () => false)->handle($post('exports', ['project_id' => 'p']));
        same([$answer->status, $http->exports], [403, []]);
    },
    'the site is asked about a token without a clip' => function () use ($host, $post) {
        $asked = [];
        $host(new FakeHttp(), authorize: function (?string ...$ask) use (&$asked): bool {
            $asked[] = $ask;
            return true;
        })->handle($post('token', ['project_id' => 'p']));
        same($asked, [['ann', 'token', null, null]]);
    },
    'a token lets its holder only view beside policies of the site' => function () use ($host, $post) {
        $view = '{"permissions":["view"]}';
        foreach ([['{}', []], [$view, ['authorize' => fn () => true]], [$view, ['exportOptions' => fn ($asked) => $asked]],
            [$view, ['startsPerMinute' => 30]], ['{"permissions":["view","edit"]}', ['tokenPermissions' => ['view', 'edit']]],
            ['{"permissions":["edit","view"]}', ['authorize' => fn () => true, 'tokenPermissions' => ['edit', 'view']]]] as [$sent, $options]) {
            $http = new FakeHttp();
            $http->tokenPermissions = true;
            same([$host($http, ...$options)->handle($post('token', (object) []))->status, $http->tokensAsked], [200, [$sent]]);
        }
    },
    'wrong permissions are refused when the host is made' => function () use ($host) {
        foreach ([[], ['edit'], ['view', 'delete'], ['view', 1], ['one' => 'view']] as $wrong) {
            try {
                $host(new FakeHttp(), tokenPermissions: $wrong);
            } catch (InvalidArgumentException) {
                continue;
            }
            throw new Exception('accepted: ' . json_encode($wrong));
        }
    },
    'a service whose tokens have no permissions is asked without them' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp(), authorize: fn () => true);
        same($one->handle($post('token', (object) []))->status, 200);
        same($one->handle($post('token', (object) []))->status, 200);
        same($http->tokensAsked, ['{"permissions":["view"]}', '{}', '{"permissions":["view"]}', '{}']);
        // A token that says what it permits is of a service that has an editor.
        $payload = base64_encode('{"permissions":["view","edit","export"]}');
        $http->tokens = [FakeHttp::json(400, ['code' => 'invalid-request']), FakeHttp::json(201, ['external_access_token' => "a.$payload.b"])];
        same($one->handle($post('token', (object) []))->status, 502);
    },
    'no other refusal gives a token without permissions' => function () use ($host, $post) {
        foreach ([[400, '<h1>Bad Request</h1>', []], FakeHttp::json(403, ['code' => 'forbidden']), [500, '', []]] as $answer) {
            $one = $host($http = new FakeHttp(), authorize: fn () => true);
            $http->tokens = [$answer];
            same([$one->handle($post('token', (object) []))->status >= 400, $http->tokensAsked], [true, ['{"permissions":["view"]}']]);
        }
        // Refused both times, it is not about the permissions: they are sent again.
        $one = $host($http = new FakeHttp(), authorize: fn () => true);
        $http->tokens = [FakeHttp::json(422, ['code' => 'unprocessable']), FakeHttp::json(422, ['code' => 'unprocessable'])];
        same($one->handle($post('token', (object) []))->status, 422);
        $one->handle($post('token', (object) []));
        same(array_slice($http->tokensAsked, 0, 3), ['{"permissions":["view"]}', '{}', '{"permissions":["view"]}']);
    },
    'permissions that the site has set are not given up' => function () use ($host, $post) {
        $logged = [];
        $one = $host($http = new FakeHttp(), tokenPermissions: ['view'], log: function (string $line) use (&$logged): void {
            $logged[] = $line;
        });
        $answer = $one->handle($post('token', (object) []));
        same([$answer->status, json_decode($answer->body)->code, $http->tokensAsked], [502, 'service-error', ['{"permissions":["view"]}']]);
        same($logged, ['clip host: service-error: the service refuses tokenPermissions: the service answered 400 to POST /users/managed-1/tokens']);
    },
    'starts are limited' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp(), startsPerMinute: 2);
        $statuses = array_map(
            fn ($n) => $one->handle($post('exports', ['project_id' => 'p'], ['idempotency-key' => "attempt-$n"]))->status, [1, 2, 3]);
        same([$statuses, count($http->exports)], [[201, 201, 429], 2]);
    },
    'an unknown outcome is searched before it is repeated' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp());
        $http->fails = [[504, '', []]];
        same(json_decode($one->handle($post('exports', ['project_id' => 'p']))->body, true)['unknown_outcome'], true);
        // Nothing is in the list yet: it may still come, so nothing is started and nothing promised.
        same($one->handle($post('exports', ['project_id' => 'p']))->status, 504);
        $http->exports[] = ['id' => 'lost', 'status' => 'ready', 'project_id' => 'p', 'created_at' => gmdate('c')];
        $again = $one->handle($post('exports', ['project_id' => 'p']));
        same([$again->status, json_decode($again->body, true)['id'], count($http->exports)], [200, 'lost', 1]);
    },
    'the attempt key is sent on, and a 409 leaves the attempt open' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp());
        $http->fails = [FakeHttp::json(409, [])];
        $refused = $one->handle($post('exports', ['project_id' => 'p']));
        same([$refused->status, json_decode($refused->body, true)['unknown_outcome']], [502, true]);
        same($one->handle($post('exports', ['project_id' => 'p']))->status, 504);
        $one->handle($post('exports', ['project_id' => 'p'], ['idempotency-key' => 'attempt-key-2']));
        same($http->exports[0]['key'], 'attempt-key-2');
    },
    'an address that is no http or https reaches no page' => function () use ($host, $post) {
        $started = $host(new FakeHttp())->handle($post('exports', ['project_id' => 'p']));
        same(json_decode($started->body, true)['src_url'], null);
    },
    'an edit is passed on as it is, with its revision' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp());
        $read = $one->handle(new Request('GET', '/clips/projects/p/edit'));
        same([$read->status, $read->headers['ETag'], $read->body], [200, '"7"', '{"revision":7,"changes":{}}']);
        $patch = fn (mixed $body, array $headers) => $one->handle(new Request('PATCH', '/clips/projects/p/edit', '',
            $headers + ['sec-fetch-site' => 'same-origin', 'content-type' => 'application/json'], json_encode($body)));
        $change = ['changes' => ['words' => (object) [], 'title' => 'März']];
        same($patch($change, [])->status, 428);
        same($patch($change, ['if-match' => '"6"'])->status, 412);
        same(json_decode($patch($change, ['if-match' => '"6"'])->body)->code, 'revision-changed');
        same($patch(['title' => 'Dawn'], ['if-match' => '"7"'])->status, 400);
        same($patch(['changes' => [1]], ['if-match' => '"7"'])->status, 400);
        same($patch($change, ['if-match' => '"7"', 'sec-fetch-site' => 'cross-site'])->status, 403);
        $refused = $patch(['changes' => ['start' => -1]], ['if-match' => '"7"']);
        same([$refused->status, json_decode($refused->body)->errors[0]->path], [422, 'changes.start']);
        same($http->changes, []);
        $answer = $patch($change, ['if-match' => '"7"']);
        same([$answer->status, $answer->headers['ETag']], [200, '"8"']);
        same($http->changes, [json_encode($change)]);
    },
    'a clip of a segment and a copy are made once for each key' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp());
        $segment = ['start' => 3, 'end' => 9.5, 'name' => 'Dawn'];
        foreach ([1, 2] as $_) {
            $made = $one->handle($post('projects/f', $segment));
            same([$made->status, json_decode($made->body)->id, json_decode($made->body)->revision], [201, 'clip-1', 1]);
        }
        same($one->handle($post('projects/p/copy', (object) [], ['idempotency-key' => 'attempt-key-2']))->status, 201);
        same(array_column($http->clips, 'path'), ['/projects/f', '/projects/p/copy']);
        same(array_column($http->clips, 'sent'), [json_encode($segment), '{}']);
        foreach ([['start' => 3], ['start' => 3, 'end' => 3], ['start' => '3', 'end' => 9], $segment + ['more' => 1]] as $wrong) {
            same($one->handle($post('projects/f', $wrong))->status, 400);
        }
        same($one->handle($post('projects/f', $segment, ['idempotency-key' => 'short']))->status, 400);
        same(count($http->clips), 2);
    },
    'the clips of a folder are listed for who may read it' => function () use ($host, $call) {
        $asked = [];
        $one = $host($http = new FakeHttp(), authorize: function (...$ask) use (&$asked) {
            $asked[] = $ask;
            return $ask[3] !== 'closed';
        });
        $http->folders = ['f' => [['id' => 'p', 'folder_id' => 'f', 'name' => 'Dawn', 'revision' => 2, 'internal' => true]], 'closed' => []];
        $read = fn (string $query) => $one->handle($call('GET', 'projects', $query));
        [$clip] = json_decode($read('folder_id=f')->body, true);
        same([$clip['id'], $clip['name'], $clip['revision'], $clip['virality_score'], isset($clip['internal'])], ['p', 'Dawn', 2, null, false]);
        same(json_decode($read('folder_id=other')->body, true)['code'], 'clip-not-found');
        same([$read('folder_id=closed')->status, $read('')->status, $read('folder_id=f&task=t')->status], [403, 400, 400]);
        same($asked, [['ann', 'read', null, 'f'], ['ann', 'read', null, 'other'], ['ann', 'read', null, 'closed']]);
    },
    'edits need a yes of the site to `edit`' => function () use ($host, $post) {
        $asked = [];
        $one = $host($http = new FakeHttp(), authorize: function (...$ask) use (&$asked) {
            $asked[] = $ask;
            return in_array($ask[1], ['token', 'export', 'download', 'read'], true);
        });
        same($one->handle(new Request('GET', '/clips/projects/p/edit', 'folder_id=f'))->status, 403);
        same($one->handle(new Request('PATCH', '/clips/projects/p/edit', '', ['sec-fetch-site' => 'same-origin',
            'content-type' => 'application/json', 'if-match' => '"7"'], '{"changes": {}}'))->status, 403);
        same($one->handle($post('projects/p/copy', (object) []))->status, 403);
        same($one->handle($post('projects/f', ['start' => 1, 'end' => 2]))->status, 403);
        same($asked, [['ann', 'edit', 'p', 'f'], ['ann', 'edit', 'p', null], ['ann', 'edit', 'p', null], ['ann', 'edit', null, 'f']]);
        same([$http->changes, $http->clips], [[], []]);
    },
    'an export says of which revision it is' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp());
        $one->handle($post('exports', ['project_id' => 'p']));
        $http->exports[0]['revision'] = 3;
        $read = fn () => json_decode($one->handle(new Request('GET', '/clips/exports', 'id=export-1'))->body, true)[0];
        same($read()['revision'], 3);
        $http->exports[0]['revision'] = null;
        same(array_key_exists('revision', $read()), false);
    },
    'a user that the service lost is created again' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp());
        $one->handle($post('token', (object) []));
        $http->users = ['somebody-else'];
        same($one->handle($post('exports', ['project_id' => 'p']))->status, 201);
    },
    'the bare 404 of a proxy does not replace a user' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp());
        $one->handle($post('token', (object) []));
        $http->tokens = [[404, '<h1>Not Found</h1>', []]];
        same($one->handle($post('token', (object) []))->status >= 400, true);
        same($http->users, ['managed-1']);
    },
    'a missing id is an error and not an account' => function () use ($host, $post) {
        foreach (['', 'null', 'undefined'] as $id) {
            $answer = $host($http = new FakeHttp(), authenticate: fn () => $id)->handle($post('exports', ['project_id' => 'p']));
            same([$answer->status, $http->users], [500, []]);
        }
    },
    'each account has a tag that is not its id' => function () use ($host, $post) {
        $tag = fn ($id) => $host(new FakeHttp(), authenticate: fn () => $id)->handle($post('token', (object) []))->headers['Clip-Account'];
        same([$tag('ann') === $tag('ann'), $tag('ann') === $tag('ben'), str_contains($tag('ann'), 'ann')], [true, false, false]);
    },
    'a start for another account than the one that is signed in is refused' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp());
        $start = fn (string $key, array $headers) => $one->handle($post('exports', ['project_id' => 'p'], ['idempotency-key' => $key] + $headers));
        $refused = $start('attempt-1', ['clip-account' => 'of-another']);
        same([$refused->status, json_decode($refused->body)->code, count($http->exports)], [409, 'account-changed', 0]);
        same($start('attempt-1', ['clip-account' => $refused->headers['Clip-Account']])->status, 201);
    },
    'ids are compared exactly' => function () {
        $store = new PdoStore(new PDO('sqlite::memory:'));
        foreach (['attempt-a', 'attempt-A', 'attempt-a ', str_repeat('x', 300), 'é', "e\u{301}"] as $key) {
            same($store->claimAttempt(new Attempt('ann', $key, '[]', 2_000_000_000_000)), null);
            same($store->claimAttempt(new Attempt('ann', $key, '[]', 2_000_000_000_000))?->key, $key);
        }
        same(count($store->attemptsSince('ann', 0)), 6);
    },
    'the key is in no dump of the service' => function () {
        $service = new Service('https://service.example/v2', 'secret-key', new FakeHttp());
        same(str_contains(print_r($service, true), 'secret-key'), false);
    },
    // Last, so that every class has been loaded. WordPress has hundreds of plugins in one process.
    'nothing is declared outside of the namespace' => function () {
        foreach (glob(__DIR__ . '/../../../integrations/wordpress/host/[A-Z]*.php') as $file) {
            same(class_exists($name = 'ClipKit\\Host\\' . basename($file, '.php')) || interface_exists($name), true);
        }
        same(array_values(array_filter(get_defined_functions()['user'], fn ($name) => $name !== 'same')), []);
        same(array_keys(get_defined_constants(true)['user'] ?? []), []);
    },
    'a file goes to the address that the service gives, for its user only' => function () use ($host, $post, $call) {
        $user = 'ann';
        $one = $host($http = new FakeHttp(), authenticate: function () use (&$user) {
            return $user;
        });
        $created = $one->handle($post('uploads', ['name' => 'talk.mp4', 'size' => 10, 'seconds' => 1.5]));
        $upload = json_decode($created->body, true);
        same([$created->status, $upload['url'], $upload['status']], [201, 'https://service.example/uploads/upload-1', 'open']);
        same(isset($upload['internal']), false);
        same($one->handle($call('GET', 'uploads/upload-1'))->status, 200);
        $user = 'ben';
        foreach (['GET', 'DELETE'] as $method) {
            $answer = $one->handle($call($method, 'uploads/upload-1'));
            same([$answer->status, json_decode($answer->body)->code], [404, 'upload-not-found']);
        }
        $user = 'ann';
        same([$one->handle($call('DELETE', 'uploads/upload-1'))->status, $http->uploads], [204, []]);
    },
    'an upload whose answer was lost is the same one with the same key' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp());
        $create = fn (string $key) => $one->handle($post('uploads', ['name' => 'talk.mp4', 'size' => 10], ['idempotency-key' => $key]));
        same([$create('attempt-2')->status, $create('attempt-2')->status, array_keys($http->uploads)], [201, 201, ['upload-1']]);
        same([$create('attempt-3')->status, count($http->uploads)], [201, 2]);
        same([$create('short')->status, count($http->uploads)], [400, 2]);
        $http->refusedUploads = [FakeHttp::json(409, ['code' => 'attempt-mismatch', 'detail' => 'It was deleted.'])];
        $answer = $create('attempt-2');
        same([$answer->status, json_decode($answer->body)->code], [409, 'attempt-mismatch']);
        $without = new Request('POST', '/clips/uploads', '', ['sec-fetch-site' => 'same-origin', 'content-type' => 'application/json'], '{"name":"a","size":1}');
        same([$one->handle($without)->status, $http->uploads['upload-3']['key']], [201, null]);
    },
    'a wrong file is refused, by the host or in the words of the service' => function () use ($host, $post) {
        foreach ([[], ['name' => 'a'], ['name' => '', 'size' => 1], ['name' => 'a', 'size' => 0], ['name' => 'a', 'size' => '1'],
            ['name' => 'a', 'size' => 1, 'sha256' => 'x'], ['name' => 'a', 'size' => 1, 'seconds' => 0], ['name' => 'a', 'size' => 1, 'path' => '/']] as $wrong) {
            $one = $host($http = new FakeHttp());
            same([$one->handle($post('uploads', (object) $wrong))->status, $http->uploads], [400, []]);
        }
        foreach ([413 => 'upload-too-large', 422 => 'unprocessable', 429 => 'rate-limited', 507 => 'storage-full'] as $status => $code) {
            $one = $host($http = new FakeHttp());
            $http->refusedUploads = [FakeHttp::json($status, ['code' => 'x', 'detail' => 'What to do.'])];
            $answer = $one->handle($post('uploads', ['name' => 'a', 'size' => 1]));
            $problem = json_decode($answer->body);
            same([$answer->status, $problem->code, $problem->detail], [$status, $code, 'What to do.']);
        }
    },
    'tasks are listed page by page, and deleted, by their user only' => function () use ($host, $call) {
        $user = 'ann';
        $one = $host($http = new FakeHttp(), authenticate: function () use (&$user) {
            return $user;
        });
        same($one->handle($call('GET', 'tasks'))->body, '[]');
        foreach (['b', 'a'] as $id) {
            $http->tasks[$id] = ['user' => 'managed-1', 'task' => ['id' => $id, 'type' => 'video_to_shorts', 'status' => 'in_progress',
                'created_at' => '2026-01-31T10:00:00Z', 'output_type' => 'folder', 'output_id' => 'f', 'name' => "Talk $id", 'internal' => 1,
                'picture_url' => 'javascript:alert(1)']];
        }
        $first = $one->handle($call('GET', 'tasks', 'limit=1'));
        same($first->headers['Link'], '<?limit=1&cursor=1>; rel="next"');
        same(json_decode($first->body, true), [['type' => 'video-to-shorts', 'status' => 'processing', 'id' => 'b',
            'created_at' => '2026-01-31T10:00:00Z', 'output_type' => 'folder', 'output_id' => 'f', 'name' => 'Talk b']]);
        $last = $one->handle($call('GET', 'tasks', 'limit=1&cursor=1'));
        same([json_decode($last->body)[0]->id, $last->headers['Link'] ?? null], ['a', null]);
        foreach (['limit=0', 'limit=101', 'cursor=%3F', 'id=a'] as $query) same($one->handle($call('GET', 'tasks', $query))->status, 400);
        $user = 'ben';
        same($one->handle($call('GET', 'tasks'))->body, '[]');
        same([$one->handle($call('GET', 'tasks/a'))->status, $one->handle($call('DELETE', 'tasks/a'))->status], [404, 404]);
        $user = 'ann';
        same([$one->handle($call('DELETE', 'tasks/a'))->status, array_keys($http->tasks)], [204, ['b']]);
    },
    'a service without uploads says so' => function () use ($host, $post) {
        $one = $host($http = new FakeHttp());
        $http->extensions = false;
        $answer = $one->handle($post('uploads', ['name' => 'a', 'size' => 1]));
        same([$answer->status, json_decode($answer->body)->code], [501, 'not-supported']);
    },
    'a service without a list has that of the host, for each user, and a deleted task only leaves it' => function () use ($host, $post, $call) {
        $user = 'ann';
        $one = $host($http = new FakeHttp(), authenticate: function () use (&$user) {
            return $user;
        });
        $http->extensions = false;
        foreach (['One', 'Two', 'Three'] as $at => $name) {
            $body = ['source_video_url' => 'https://x.example/a.mp4', 'name' => $name];
            same($one->handle($post('tasks/video-to-shorts', $body, ['idempotency-key' => "attempt-key-$at"]))->status, 201);
            usleep(2000);
        }
        $names = fn ($answer) => array_column(json_decode($answer->body, true), 'name');
        $first = $one->handle($call('GET', 'tasks', 'limit=2'));
        same($names($first), ['Three', 'Two']);
        preg_match('/^<\?(.*)>; rel="next"$/', $first->headers['Link'], $next);
        $last = $one->handle($call('GET', 'tasks', $next[1]));
        same([$names($last), $last->headers['Link'] ?? null], [['One'], null]);
        same($one->handle($call('GET', 'tasks', 'cursor=x'))->status, 400);
        $user = 'ben';
        same($one->handle($call('GET', 'tasks'))->body, '[]');
        same($one->handle($call('DELETE', 'tasks/task-1'))->status, 404);
        $user = 'ann';
        same([$one->handle($call('DELETE', 'tasks/task-1'))->status, count($http->tasks)], [204, 3]);
        unset($http->tasks['task-2']);
        same($names($one->handle($call('GET', 'tasks'))), ['Three']);
    },
    'a page of another site deletes nothing, and the policy is asked' => function () use ($host, $call) {
        $one = $host(new FakeHttp(), authorize: fn ($user, $action) => $action !== 'delete');
        same($one->handle($call('DELETE', 'tasks/a', '', ['sec-fetch-site' => 'cross-site']))->status, 403);
        same($one->handle($call('DELETE', 'tasks/a'))->status, 403);
        same($one->handle($call('GET', 'tasks'))->status, 200);
    },
    'a task is started once for a key, with the body as it is' => function () use ($host, $post, $call) {
        $one = $host($http = new FakeHttp());
        $body = ['source_video_url' => 'https://service.example/uploads/1', 'name' => 'Talk', 'editing_options' => (object) []];
        $first = $one->handle($post('tasks/video-to-shorts', $body));
        $again = $one->handle($post('tasks/video-to-shorts', array_reverse($body)));
        same([$first->status, $again->status, $again->body], [201, 200, $first->body]);
        same($http->tasksSent, ['{"source_video_url":"https:\\/\\/service.example\\/uploads\\/1","name":"Talk","editing_options":{}}']);
        same($one->handle($call('GET', 'tasks', 'attempt=attempt-key-1'))->body, "[$first->body]");
        // The key belongs to this request.
        same($one->handle($post('tasks/video-to-shorts', ['name' => 'Other'] + $body))->status, 409);
        same($one->handle($post('tasks/video-to-video', $body))->status, 409);
        same($one->handle($post('exports', ['project_id' => 'p']))->status, 409);
        same($one->handle($call('GET', 'exports', 'attempt=attempt-key-1'))->status, 409);
        same([count($http->tasksSent), $http->exports], [1, []]);
    },
    'clips of a task are made once more with other words, and further ones' => function () use ($host, $post, $call) {
        $one = $host($http = new FakeHttp());
        $http->tasks = [];
        $words = $one->handle($post('tasks/a/words', ['subtitles_url' => 'https://x.example/a.srt'], ['idempotency-key' => 'attempt-key-1']));
        $more = $one->handle($post('tasks/a/more', ['topics' => ['bees']], ['idempotency-key' => 'attempt-key-2']));
        same([$words->status, $more->status], [201, 201]);
        same($http->tasksSent, ['{"subtitles_url":"https:\\/\\/x.example\\/a.srt"}', '{"topics":["bees"]}']);
        foreach (['tasks/a/words' => ['topics' => ['bees']], 'tasks/a/more' => ['language' => 'en']] as $path => $wrong) {
            same($one->handle($post($path, $wrong, ['idempotency-key' => 'attempt-key-3']))->status, 400);
        }
        same($one->handle($call('GET', 'tasks/a/more'))->status, 405);
        $ranged = ['source_video_url' => 'https://x.example/a.mp4', 'topics' => ['bees'], 'source_range' => (object) ['start' => 1, 'end' => 9]];
        same($one->handle($post('tasks/video-to-shorts', $ranged, ['idempotency-key' => 'attempt-key-4']))->status, 201);
    },
    'a task with an unknown outcome is not started again' => function () use ($host, $post, $call) {
        $one = $host($http = new FakeHttp());
        $http->fails = [[504, '', []]];
        $body = ['source_video_url' => 'https://x.example/a.mp4'];
        foreach ([1, 2] as $_) {
            $answer = $one->handle($post('tasks/video-to-shorts', $body));
            same([$answer->status, json_decode($answer->body)->unknown_outcome], [504, true]);
        }
        same(count($http->tasksSent), 1);
        // Full, which says nothing certain either.
        $http->fails = [[507, '', []]];
        $full = $one->handle($post('tasks/video-to-shorts', $body, ['idempotency-key' => 'attempt-key-3']));
        same([$full->status, json_decode($full->body)->unknown_outcome], [507, true]);
        // An export beside it is told apart from it.
        same($one->handle($post('exports', ['project_id' => 'p'], ['idempotency-key' => 'attempt-key-2']))->status, 201);
    },
    'nothing is promised of a start that the service may have forgotten' => function () use ($host, $post, $call) {
        foreach ([22 => ['attempt-key-1', 201], 24 => [null, 504]] as $hours => [$named, $status]) {
            $store = new PdoStore(new PDO('sqlite::memory:'));
            $one = $host($http = new FakeHttp(), store: $store);
            $http->keepsKeys = true;
            $request = '{"body":{"source_video_url":"https:\/\/x.example\/a.mp4"},"type":"video-to-shorts"}';
            $store->claimAttempt(new Attempt('ann', 'attempt-key-1', $request, (int) (microtime(true) * 1000) - $hours * 3_600_000, 'unknown'));
            $answer = $one->handle($call('GET', 'tasks', 'attempt=attempt-key-1'));
            same([$answer->status, $answer->body, $answer->headers['Idempotency-Key'] ?? null], [200, '[]', $named]);
            same($one->handle($post('tasks/video-to-shorts', ['source_video_url' => 'https://x.example/a.mp4']))->status, $status);
        }
    },
    'a wrong task starts nothing' => function () use ($host, $post, $call) {
        $one = $host($http = new FakeHttp());
        $url = ['source_video_url' => 'https://x.example/a.mp4'];
        foreach ([[], ['source_video_url' => 'ftp://x.example/a'], $url + ['subtitles_url' => 1], $url + ['more' => 1]] as $wrong) {
            same($one->handle($post('tasks/video-to-shorts', (object) $wrong))->status, 400);
        }
        foreach ([$url, $url + ['editing_options' => (object) [], 'max_clip_count' => 1]] as $wrong) {
            same($one->handle($post('tasks/video-to-video', $wrong))->status, 400);
        }
        same([$one->handle($post('tasks/other', $url))->status, $http->tasksSent], [405, []]);
    },
];
