<?php
// The host of the plugin without WordPress, for tests: answers everything below /clips.
declare(strict_types=1);

use ClipKit\Host\{ClipHost, CurlHttp, PdoStore, Request, Service};

foreach (['../../../integrations/wordpress/host/autoload', 'CurlHttp', 'PdoStore'] as $part) require __DIR__ . "/$part.php";
ini_set('display_errors', '0');

$host = new ClipHost(
    service: new Service((string) getenv('CLIP_API_URL'), (string) getenv('CLIP_API_KEY'), new CurlHttp()),
    store: new PdoStore(new PDO('sqlite:' . getenv('CLIP_DATABASE'))),
    authenticate: fn () => $_COOKIE['user'] ?? null,
    basePath: '/clips',
);
$request = Request::fromGlobals();
$host->handle($request)->send($request->method);
