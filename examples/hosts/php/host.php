<?php
// The host contract of clip-kit in plain PHP: the script that answers everything below /clips.
declare(strict_types=1);
require __DIR__ . '/service.php';
ini_set('display_errors', '0');

const ROUTES = ['token' => ['POST'], 'exports' => ['GET', 'POST'], 'exports/*' => ['GET'], 'exports/*/download' => ['GET']];
const HERE = 'WHERE site_user = ? AND key = ?';

/** Runs a statement on the database, which is created on first use. */
function sql(string $statement, mixed ...$values): PDOStatement {
    static $db = null;
    if ($db === null) {
        $db = new PDO('sqlite:' . (getenv('CLIP_DATABASE') ?: 'clips.sqlite'), null, null, [PDO::ATTR_TIMEOUT => 10]);
        $db->exec('CREATE TABLE IF NOT EXISTS user (site_user TEXT PRIMARY KEY, managed TEXT)');
        $db->exec('CREATE TABLE IF NOT EXISTS attempt (site_user TEXT, key TEXT, request TEXT, started REAL, state TEXT, export TEXT,
            PRIMARY KEY (site_user, key))');
    }
    ($run = $db->prepare($statement))->execute($values);
    return $run;
}

function managedUser(string $user): string {
    $known = fn () => sql('SELECT managed FROM user WHERE site_user = ?', $user)->fetchColumn();
    if ($known() === false) sql('INSERT OR IGNORE INTO user VALUES (?, ?)', $user, call('POST', '/users')['id']);
    return $known();
}

/** The export of an attempt: the stored one, otherwise the clip's oldest since then without an attempt. */
function settle(string $user, string $managed, string $attempt): ?array {
    if (!$row = sql('SELECT request, started, export FROM attempt ' . HERE, $user, $attempt)->fetch()) return null;
    $clip = json_decode($row['request'], true);
    if ($row['export'] !== null) return readExport($managed, $row['export'], $clip);
    $found = exportsOf($managed, ['project_id' => $clip['project_id']]);
    usort($found, fn ($a, $b) => strtotime($a['created_at']) <=> strtotime($b['created_at']));
    foreach ($found as $one) {
        $recent = strtotime($one['created_at']) >= $row['started'] - 60; // One minute for clocks that differ.
        if (!$recent || sql('SELECT 1 FROM attempt WHERE export = ?', $one['id'])->fetchColumn()) continue;
        sql("UPDATE attempt SET state = 'settled', export = ? " . HERE, $one['id'], $user, $attempt);
        return $one;
    }
    return null;
}

/** The result of an attempt: its export, or 202 while its start may still be running. The header says that keys are stored. */
function attempt(string $user, string $managed, string $key): array {
    header("Idempotency-Key: $key");
    if ($found = settle($user, $managed, $key)) return [200, [$found]];
    $open = sql('SELECT 1 FROM attempt ' . HERE . " AND state = 'open' AND started > ?", $user, $key, microtime(true) - 120);
    return [$open->fetch() ? 202 : 200, []];
}

/** Null for the only request that may start; for a later one the export, once it is known. */
function claim(string $user, string $managed, string $key, string $request): ?array {
    for ($turn = 0; $turn < 100; $turn++) {
        $mine = [$user, $key, $request, microtime(true)];
        if (sql("INSERT OR IGNORE INTO attempt VALUES (?, ?, ?, ?, 'open', NULL)", ...$mine)->rowCount()) return null;
        $row = sql('SELECT request, started, state FROM attempt ' . HERE, $user, $key)->fetch();
        if ($row && $row['request'] !== $request) throw new Problem(409);
        $busy = $row && $row['state'] === 'open' && microtime(true) - $row['started'] < 120 && $turn < 99;
        if ($busy) {
            usleep(50_000); // Another request is starting it now.
            continue;
        }
        if ($found = settle($user, $managed, $key)) return $found;
        // Nothing was started, and no request is working on it: the key is free.
        sql('DELETE FROM attempt ' . HERE . " AND (state = 'unknown' OR started < ?)", $user, $key, microtime(true) - 120);
    }
    throw new Problem(504, null, ['unknown_outcome' => true]);
}

function start(string $user, string $managed, string $key, array $clip): array {
    ignore_user_abort(true); // Closing the page must not interrupt a start.
    sql('DELETE FROM attempt WHERE started < ?', microtime(true) - 2 * 86400);
    ksort($clip);
    if ($found = claim($user, $managed, $key, json_encode($clip))) return [200, $found];
    try {
        $started = call('POST', clipPath($clip) . '/exports', $managed, 'clip-not-found', true);
    } catch (Problem $problem) {
        $unknown = isset($problem->more['unknown_outcome']);
        sql(($unknown ? "UPDATE attempt SET state = 'unknown' " : 'DELETE FROM attempt ') . HERE, $user, $key);
        throw $problem;
    }
    sql("UPDATE attempt SET state = 'settled', export = ? " . HERE, $started['id'], $user, $key);
    return [201, isset($started['project_id']) ? exportOf($started) : readExport($managed, $started['id'], $clip)];
}

function isId(string $text): bool {
    return !in_array($text, ['', '.', '..'], true) && preg_match('//u', $text);
}

function checked(array $values, array $required, array $optional = []): array {
    foreach ($values as $name => $value) {
        if (!in_array($name, [...$required, ...$optional], true)) throw invalid((string) $name, 'unknown field');
        if (!is_string($value) || !isId($value)) throw invalid($name, 'must be an id');
    }
    foreach (array_diff($required, array_keys($values)) as $name) throw invalid($name, 'is missing');
    return $values;
}

function body(): array {
    if (!preg_match('#^application/json\s*(;|$)#i', $_SERVER['CONTENT_TYPE'] ?? '')) throw new Problem(415);
    $text = file_get_contents('php://input', false, null, 0, 65537);
    if (strlen($text) > 65536) throw new Problem(413);
    $value = json_decode($text);
    return $value instanceof stdClass ? (array) $value : throw invalid('', 'must be a JSON object');
}

/** The logged-in user. Put your own session here. The demo's cookie is session=NAME.SIGNATURE. */
function user(): string {
    preg_match('/^(.*)\.(\w*)$/', (string) ($_COOKIE['session'] ?? ''), $found);
    $right = hash_hmac('sha256', $found[1] ?? '', getenv('SESSION_SECRET') ?: throw new Problem(500));
    return hash_equals($right, $found[2] ?? '') ? $found[1] : throw new Problem(401);
}

/** Parses the query, because $_GET keeps only the last of several ids. */
function query(): array {
    $pairs = [];
    foreach (array_filter(explode('&', $_SERVER['QUERY_STRING'] ?? ''), 'strlen') as $pair) {
        [$name, $value] = array_map('urldecode', explode('=', $pair, 2) + [1 => '']);
        $pairs[$name][] = $value;
    }
    return $pairs;
}

function answer(string $method): array {
    $path = explode('/', preg_replace('#^/clips/|\?.*$#s', '', $_SERVER['REQUEST_URI']));
    $shape = implode('/', $path[0] === 'exports' && isset($path[1]) ? ['exports', '*', ...array_slice($path, 2)] : $path);
    if (!isset(ROUTES[$shape]) || !str_starts_with($_SERVER['REQUEST_URI'], '/clips/')) throw new Problem(404);
    $id = rawurldecode($path[1] ?? 'none');
    if (!isId($id)) throw new Problem(404);
    if (!in_array($method, ROUTES[$shape], true)) throw new Problem(405);
    $own = getenv('SITE_ORIGIN') ?: (empty($_SERVER['HTTPS']) ? 'http://' : 'https://') . $_SERVER['HTTP_HOST'];
    $site = $_SERVER['HTTP_SEC_FETCH_SITE'] ?? (($_SERVER['HTTP_ORIGIN'] ?? '') === $own ? 'same-origin' : 'none');
    if ($method === 'POST' && $site !== 'same-origin') throw new Problem(403);
    [$user, $query] = [user(), query()];
    $managed = managedUser($user);
    if ($shape === 'token') {
        checked(body(), [], ['project_id']);
        return [200, ['external_access_token' => call('POST', "/users/$managed/tokens")['external_access_token']]];
    }
    if ($method === 'POST') {
        $clip = checked(body(), ['project_id'], ['folder_id']);
        $key = $_SERVER['HTTP_IDEMPOTENCY_KEY'] ?? '';
        if (!preg_match('/^[A-Za-z0-9._-]{8,128}$/D', $key)) throw invalid('Idempotency-Key', 'must be 8 to 128 characters');
        return start($user, $managed, $key, $clip);
    }
    if ($shape === 'exports' && isset($query['id'])) {
        $fits = count($query) === 1 && count($query['id']) <= 200 && count(array_filter($query['id'], 'isId')) === count($query['id']);
        if (!$fits) throw invalid('id', 'must be 1 to 200 ids');
        return [200, array_values(array_filter(exportsOf($managed), fn ($one) => in_array($one['id'], $query['id'], true)))];
    }
    $single = array_map(fn ($values) => count($values) === 1 ? $values[0] : throw invalid('', 'each parameter once'), $query);
    if ($shape === 'exports' && isset($single['attempt'])) return attempt($user, $managed, checked($single, ['attempt'])['attempt']);
    if ($shape === 'exports') return [200, exportsOf($managed, checked($single, [], ['project_id', 'folder_id']))];
    $export = readExport($managed, $id, checked($single, ['project_id'], ['folder_id']));
    if ($shape === 'exports/*') return [200, $export];
    return $export['status'] === 'ready' ? [302, $export['src_url']] : throw new Problem(404, 'export-not-found');
}

try {
    [$status, $value] = answer($_SERVER['REQUEST_METHOD']);
} catch (Throwable $error) {
    $problem = $error instanceof Problem ? $error : new Problem(500);
    if ($problem !== $error) error_log('clip host: ' . get_class($error));
    $status = $problem->status;
    $value = ['title' => CODES[$status], 'status' => $status, 'code' => $problem->type ?? CODES[$status]] + $problem->more;
    if ($status === 429) header('Retry-After: 5');
}
$type = $status < 400 ? 'application/json' : 'application/problem+json';
array_map('header', ['Cache-Control: no-store', 'X-Content-Type-Options: nosniff', "Content-Type: $type"]);
if ($status === 302) header("Location: $value");
http_response_code($status);
echo $status === 302 ? '' : json_encode($value);
