<?php
declare(strict_types=1);

use ClipKit\Host\{Attempt, ClipHost, Download, PdoStore, Psr15Handler, Request, Service};

$host = fn (FakeHttp $http, mixed ...$options): ClipHost => new ClipHost(...$options + [
    'service' => new Service('https://service.example/v2', 'key', $http),
    'store' => new PdoStore(new PDO('sqlite::memory:')),
    'authenticate' => fn () => 'ann',
    'log' => fn () => null,
]);
$post = fn (string $path, mixed $body, array $headers = []): Request => new Request('POST', "/clips/$path", '', $headers + [
    'sec-fetch-site' => 'same-origin', 'content-type' => 'application/json', 'idempotency-key' => 'attempt-key-1',
], json_encode($body));

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
    'a PSR-15 framework' => function () use ($host) {
        require_once 'Nyholm/Psr7/autoload.php';
        if (!interface_exists('Psr\Http\Server\RequestHandlerInterface')) {
            // Debian has no package of these few lines.
            eval('namespace Psr\Http\Server; interface RequestHandlerInterface {
                public function handle(\Psr\Http\Message\ServerRequestInterface $request): \Psr\Http\Message\ResponseInterface; }');
        }
        $factory = new Nyholm\Psr7\Factory\Psr17Factory();
        $request = $factory->createServerRequest('POST', 'https://site.example/clips/exports')
            ->withHeader('Origin', 'https://site.example')->withHeader('Content-Type', 'application/json')
            ->withHeader('Idempotency-Key', 'attempt-key-1')->withAttribute('user', 'ben')
            ->withBody($factory->createStream('{"project_id": "p"}'));
        $handler = new Psr15Handler($host(new FakeHttp(), authenticate: fn (Request $request) => $request->native->getAttribute('user')),
            $factory, $factory);
        same($handler->handle($request)->getStatusCode(), 201);
        same($handler->handle($request->withHeader('Origin', 'https://other.example'))->getStatusCode(), 403);
        same($handler->handle($request->withAttribute('user', null))->getStatusCode(), 401);
    },
    // Last, so that every class has been loaded. WordPress has hundreds of plugins in one process.
    'nothing is declared outside of the namespace' => function () {
        foreach (glob(__DIR__ . '/../src/*.php') as $file) {
            same(class_exists($name = 'ClipKit\\Host\\' . basename($file, '.php')) || interface_exists($name), true);
        }
        same(array_values(array_filter(get_defined_functions()['user'], fn ($name) => $name !== 'same')), []);
        same(array_keys(get_defined_constants(true)['user'] ?? []), []);
    },
];
