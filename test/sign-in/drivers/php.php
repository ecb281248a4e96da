<?php
// Runs a block in a namespace that has the functions of its framework, for one user each.
namespace Site;

[, $which, $file] = $argv;
$users = array_slice($argv, 3);

final class Ended extends \Exception {}

final class Site
{
    public static ?string $user = null;
    public static int $status = 200;
    public static string $cache = '';
    /** @var array<string, callable> */
    public static array $routes = [];
}

function header(string $line): void
{
    if (str_starts_with($line, 'Cache-Control: ')) Site::$cache = substr($line, 15);
}
function http_response_code(int $status): void
{
    Site::$status = $status;
}
function session_start(): void
{
    $_SESSION = Site::$user === null ? [] : ['user' => Site::$user];
}

// Laravel.
final class Route
{
    public static function get(string $path, callable $action): void
    {
        Site::$routes[$path] = $action;
    }
}
function auth(): object
{
    return new class {
        public function check(): bool
        {
            return Site::$user !== null;
        }
        public function id(): ?string
        {
            return Site::$user;
        }
    };
}
function abort_unless(bool $holds, int $status): void
{
    if ($holds) return;
    Site::$status = $status;
    throw new Ended();
}
function config(string $name): ?string
{
    return $name === 'services.clip_host.secret' ? getenv('CLIP_HOST_SECRET') : null;
}
function response(): object
{
    return new class {
        public function json(array $body): static
        {
            echo json_encode($body);
            return $this;
        }
        public function header(string $name, string $value): static
        {
            header("$name: $value");
            return $this;
        }
    };
}

// WordPress.
function add_action(string $name, callable $action): void
{
    Site::$routes[$name] = $action;
}
function add_filter(string $name, callable $change): void
{
    Site::$routes[$name] = $change;
}
function get_current_user_id(): string
{
    return Site::$user;
}
function wp_json_encode(array $value): string
{
    return json_encode($value);
}
function wp_send_json(array|object $body, int $status = 200): never
{
    // As in WordPress, these headers replace what was set before.
    $headers = ['Cache-Control' => 'no-cache, must-revalidate, max-age=0'];
    header('Cache-Control: ' . (Site::$routes['nocache_headers'] ?? fn ($own) => $own)($headers)['Cache-Control']);
    Site::$status = $status;
    echo json_encode($body);
    throw new Ended();
}
\define('CLIP_HOST_SECRET', getenv('CLIP_HOST_SECRET'));

$block = preg_replace('/^<\?php/', '', file_get_contents($file));
// `exit` would end the other users' turns too.
$block = 'namespace Site; ' . preg_replace('/\bexit\((.*?)\);/', '{ echo $1; throw new Ended(); }', $block);
foreach ($users as $user) {
    [Site::$user, Site::$status, Site::$cache] = [$user === '' ? null : $user, 200, ''];
    ob_start();
    try {
        eval($block);
        $name = ['php' => null, 'laravel' => '/clip-session', 'wordpress' => 'wp_ajax_' . (Site::$user === null ? 'nopriv_' : '') . 'clip_session'][$which];
        if ($name !== null) (Site::$routes[$name])();
    } catch (Ended) {
    }
    printf("%d [%s] %s\n", Site::$status, Site::$cache, ob_get_clean());
}
