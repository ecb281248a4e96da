<?php
declare(strict_types=1);

use ClipKit\Host\{ClipHost, PdoStore, Service};

require __DIR__ . '/clip-host/autoload.php';

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (str_starts_with($path, '/clips/')) {
    (new ClipHost(
        service: new Service(getenv('CLIP_API_URL'), getenv('CLIP_API_KEY')),
        store: new PdoStore(new PDO('sqlite:' . __DIR__ . '/clips.sqlite')),
        authenticate: fn () => $_COOKIE['user'] ?? null,
    ))->run();
    return true;
}
$pages = ['/' => 'home', '/clip' => 'clip'];
if (!isset($pages[$path])) return false;
require __DIR__ . "/pages/$pages[$path].php";
