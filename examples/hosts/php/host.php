<?php
// The host contract of clip-kit in plain PHP: the script that answers everything below /clips.
declare(strict_types=1);

use ClipKit\Host\{ClipHost, PdoStore, Request, Service};

require __DIR__ . '/../../../integrations/php/autoload.php'; // With Composer: vendor/autoload.php
ini_set('display_errors', '0');

$secret = (string) getenv('SESSION_SECRET');

/** The logged-in user. Put your own session here. The demo's cookie is session=NAME.SIGNATURE. */
$userOf = function (Request $request) use ($secret): ?string {
    [$name, $signature] = preg_match('/^(.*)\.(\w*)$/D', (string) ($_COOKIE['session'] ?? ''), $found) ? [$found[1], $found[2]] : ['', ''];
    if ($secret === '') throw new RuntimeException('SESSION_SECRET is not set');
    return hash_equals(hash_hmac('sha256', $name, $secret), $signature) ? $name : null;
};

$host = new ClipHost(
    service: new Service((string) getenv('CLIP_SERVICE_URL'), (string) getenv('CLIP_API_KEY')),
    store: new PdoStore(new PDO('sqlite:' . (getenv('CLIP_DATABASE') ?: 'clips.sqlite'))),
    authenticate: $userOf,
    basePath: '/clips',
    origin: getenv('SITE_ORIGIN') ?: null,
);
$host->run();
