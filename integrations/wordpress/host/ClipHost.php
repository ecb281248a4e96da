<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** The backend that the elements call: keeps the host contract of clip-kit. */
final class ClipHost
{
    private const ROUTES = ['token' => ['POST'], 'exports' => ['GET', 'POST'], 'exports/*' => ['GET'],
        'exports/*/download' => ['GET'], 'projects' => ['GET'], 'projects/*' => ['GET', 'POST'],
        'projects/*/copy' => ['POST'], 'projects/*/allowance' => ['GET'], 'projects/*/links' => ['POST'],
        'projects/*/edit' => ['GET', 'PATCH'],
        'tasks' => ['GET'], 'tasks/*' => ['GET', 'DELETE'], 'tasks/{type}' => ['GET', 'POST', 'DELETE'],
        'tasks/*/words' => ['POST'], 'tasks/*/more' => ['POST'],
        'uploads' => ['POST'], 'uploads/*' => ['GET', 'DELETE']];
    private const MAX_IDS = 200;
    /** Texts that stand for a missing value: with them, all visitors would share one account. */
    private const MISSING_IDS = ['', 'null', 'undefined', 'Array'];

    private readonly ManagedUsers $users;
    private readonly PaidStarts $starts;
    private readonly TaskList $taskList;

    /**
     * @param callable(Request): ?string $authenticate the id of the logged-in user, or null. Take it
     *     only from your session
     * @param string $basePath where the host is mounted
     * @param ?string $origin the site's public origin, such as `https://www.example.com`; needed
     *     behind a proxy that changes the host name
     * @param ?callable(string, string, ?string, ?string): bool $authorize may this user do this?
     *     Receives the user, `token` (without a clip), `export`, `download`, `edit`, `upload`,
     *     `task`, `delete` or `read`, the project and the folder
     * @param ?callable(array<string, mixed>, string): array<string, mixed> $exportOptions the
     *     `watermark` or `preset_id` to send; receives what the page asked for, and the user
     * @param ?int $startsPerMinute new exports for each user; 30 if null
     * @param ?callable(string): void $log receives failures, never with a key, token or body
     * @param ?list<string> $tokenPermissions what the embed tokens allow in the service's own pages,
     *     to which the options above do not reach: `view`, and also `edit` or `export`. If null, only
     *     `view` beside `authorize`, `exportOptions` or `startsPerMinute`, otherwise all
     */
    public function __construct(
        private readonly Service $service,
        private readonly Store $store,
        private $authenticate,
        private readonly string $basePath = '/clips',
        private readonly ?string $origin = null,
        private $authorize = null,
        private $exportOptions = null,
        ?int $startsPerMinute = null,
        private $log = null,
        ?array $tokenPermissions = null,
    ) {
        $hasPolicies = isset($authorize) || isset($exportOptions) || isset($startsPerMinute);
        $tokens = new TokenCall($service, $tokenPermissions, $hasPolicies);
        $this->users = new ManagedUsers($service, $tokens, $store, fn (string $message) => $this->write($message));
        $this->taskList = new TaskList($service, $this->users, $store);
        $this->starts = new PaidStarts($this->users, $store, $startsPerMinute ?? 30);
    }

    public function handle(Request $request): Response
    {
        $account = [];
        try {
            $response = $this->answer($request, $account);
        } catch (Problem $problem) {
            if ($problem->status >= 500) $this->write("$problem->problemCode: " . ($problem->reason ?: 'no reason known'));
            $response = $problem->toResponse();
        } catch (\Throwable $failure) {
            // Its message may contain what the request contained.
            $this->write('internal-error: ' . get_class($failure) . ' at ' . basename($failure->getFile()) . ':' . $failure->getLine());
            $response = (new Problem('internal-error'))->toResponse();
        }
        return $response->with($account);
    }

    /** @param array<string, string> $account */
    private function answer(Request $request, array &$account): Response
    {
        $method = $request->method === 'HEAD' ? 'GET' : $request->method;
        [$shape, $id] = $this->route($request->path);
        $allowed = self::ROUTES[$shape];
        if ($method === 'OPTIONS') return Response::empty(204, ['Allow' => implode(', ', $allowed)]);
        if (!in_array($method, $allowed, true)) throw new Problem('method-not-allowed', headers: ['Allow' => implode(', ', $allowed)]);
        if ($method !== 'GET' && !$this->isSameOrigin($request)) throw new Problem('forbidden');
        $user = ($this->authenticate)($request);
        if ($user === null) throw new Problem('unauthenticated');
        if (!is_string($user) || in_array($user, self::MISSING_IDS, true)) {
            throw new Problem('internal-error', reason: 'authenticate must return an id as a text, or null');
        }
        // By this tag, a browser tells its accounts apart. It is a hash, so the id is not stored there.
        $account['Clip-Account'] = substr(hash('sha256', "account $user"), 0, 16);
        // The page shows another account: what was clicked there is not for this user.
        if (($request->header('clip-account') ?? $account['Clip-Account']) !== $account['Clip-Account']) throw new Problem('account-changed');
        return match ("$method $shape") {
            'POST token' => $this->token($user, $request),
            'POST exports' => $this->start($user, $request),
            'GET exports' => $this->exports($user, $request),
            'GET exports/*' => $this->export($user, $id, $request, 'read'),
            'GET exports/*/download' => $this->export($user, $id, $request, 'download'),
            'GET projects' => $this->clips($user, $request),
            'GET projects/*' => $this->clip($user, $id, $request),
            'POST projects/*' => $this->createClip($user, $id, $request),
            'GET projects/*/allowance' => $this->allowance($user, $id, $request),
            'POST projects/*/links' => $this->links($user, $id, $request),
            'POST projects/*/copy' => $this->copyClip($user, $id, $request),
            'GET tasks' => $this->tasks($user, $request),
            'GET tasks/*', 'GET tasks/{type}' => $this->task($user, $id, $request),
            'POST tasks/{type}' => $this->createTask($user, $id, $request),
            'POST tasks/*/words' => $this->createTask($user, rawurlencode($id) . '/words', $request),
            'POST tasks/*/more' => $this->createTask($user, rawurlencode($id) . '/more', $request),
            'DELETE tasks/*', 'DELETE tasks/{type}' => $this->deleteTask($user, $id, $request),
            'POST uploads' => $this->createUpload($user, $request),
            'GET uploads/*' => $this->upload($user, $id, $request),
            'DELETE uploads/*' => $this->deleteUpload($user, $id, $request),
            'GET projects/*/edit', 'PATCH projects/*/edit' => $this->edit($user, $id, $request, $method === 'PATCH'),
        };
    }

    /** @return array{0: string, 1: string} a key of `ROUTES`, and the id in the path */
    private function route(string $path): array
    {
        $base = rtrim($this->basePath, '/') . '/';
        $parts = str_starts_with($path, $base) ? explode('/', substr($path, strlen($base))) : [''];
        $id = rawurldecode($parts[1] ?? '');
        $shape = implode('/', isset($parts[1]) ? [$parts[0], '*', ...array_slice($parts, 2)] : $parts);
        if (!isset(self::ROUTES[$shape]) || (isset($parts[1]) && !Checks::isId($id))) throw new Problem('endpoint-not-found');
        $isType = $shape === 'tasks/*' && in_array($id, ['video-to-shorts', 'video-to-video'], true);
        return [$isType ? 'tasks/{type}' : $shape, $id];
    }

    private function isSameOrigin(Request $request): bool
    {
        $site = $request->header('sec-fetch-site');
        if ($site !== null) return $site === 'same-origin';
        $own = $this->origin ?? $request->origin;
        return $own !== '' && $request->header('origin') === $own;
    }

    private function token(string $user, Request $request): Response
    {
        Checks::ids(self::body($request), [], ['project_id']);
        // Without the clip that the page names: the token opens all clips of the user.
        $this->allow($user, 'token', null, null);
        $token = $this->users->tokenOf($user);
        $claims = json_decode((string) base64_decode(strtr(explode('.', $token)[1] ?? '', '-_', '+/')), true);
        $expires = is_array($claims) && is_int($claims['exp'] ?? null) ? gmdate('Y-m-d\TH:i:s\Z', $claims['exp']) : null;
        return Response::json(200, ['external_access_token' => $token, 'expires_at' => $expires]);
    }

    private function start(string $user, Request $request): Response
    {
        // Closing the page must not interrupt a start.
        ignore_user_abort(true);
        $key = self::attemptKey($request);
        [$clip, $asked] = Checks::start(self::body($request));
        $this->allow($user, 'export', $clip['project_id'], $clip['folder_id'] ?? null);
        $options = $asked;
        if ($this->exportOptions) {
            try {
                $options = Checks::options(($this->exportOptions)($asked, $user));
            } catch (Problem $problem) {
                throw new Problem('internal-error', reason: 'exportOptions: ' . $problem->errors[0]['path'] . ' ' . $problem->errors[0]['message']);
            }
        }
        $call = ExportCall::of($this->service, $this->store, $clip, $asked, $options);
        [$export, $replayed] = $this->starts->start($user, $key, $call);
        return Response::json($replayed ? 200 : 201, $export);
    }

    private function exports(string $user, Request $request): Response
    {
        $parameters = $request->parameters();
        if (isset($parameters['id'])) {
            $ids = $parameters['id'];
            $valid = count($parameters) === 1 && count($ids) <= self::MAX_IDS && array_filter($ids, [Checks::class, 'isId']) === $ids;
            if (!$valid) throw Problem::invalid('id', 'must be 1 to ' . self::MAX_IDS . ' ids, and nothing else');
            $this->allow($user, 'read', null, null);
            $all = $this->users->with($user, fn ($managed) => $this->service->exports($managed));
            return Response::json(200, array_values(array_filter($all, fn ($one) => in_array($one['id'], $ids, true))));
        }
        $query = self::single($parameters);
        if (isset($query['attempt'])) {
            return $this->attempt($user, $query, fn ($stored) => ExportCall::stored($this->service, $this->store, $stored));
        }
        $filter = Checks::ids($query, [], ['project_id', 'folder_id']);
        $this->allow($user, 'read', $filter['project_id'] ?? null, $filter['folder_id'] ?? null);
        return Response::json(200, $this->users->with($user, fn ($managed) => $this->service->exports($managed, $filter)));
    }

    /**
     * What an attempt has started, or nothing.
     *
     * @param array<string, string> $query
     * @param callable(string): PaidCall $callOf
     */
    private function attempt(string $user, array $query, callable $callOf): Response
    {
        $key = Checks::ids($query, ['attempt'])['attempt'];
        if (!Checks::isAttemptKey($key)) throw Problem::invalid('attempt', 'must be 8 to 128 characters of A-Z a-z 0-9 . _ -');
        $this->allow($user, 'read', null, null);
        [$found, $inFlight, $isCertain] = $this->starts->find($user, $key, $callOf);
        // The header promises: without a result, nothing was started.
        return Response::json($inFlight ? 202 : 200, $found ? [$found] : [], $isCertain && !$inFlight ? ['Idempotency-Key' => $key] : []);
    }

    /** @param 'read'|'download' $action */
    private function export(string $user, string $id, Request $request, string $action): Response
    {
        $query = self::single($request->parameters());
        $name = $action === 'download' ? $query['name'] ?? '' : '';
        if ($action === 'download') unset($query['name']);
        $clip = Checks::ids($query, ['project_id'], ['folder_id']);
        $this->allow($user, $action, $clip['project_id'], $clip['folder_id'] ?? null);
        $export = $this->users->with($user, fn ($managed) => $this->service->export($managed, $clip, $id));
        if ($action === 'read') return Response::json(200, $export);
        if ($export['status'] !== 'ready') throw new Problem('export-not-found');
        $part = array_filter(['Range' => $request->header('range'), 'If-Range' => $request->header('if-range')]);
        $file = $this->users->with($user, fn ($managed) => $this->service->file($managed, $export, $part));
        return Response::file($file, $name !== '' ? $name : (string) $export['name']);
    }

    private function clips(string $user, Request $request): Response
    {
        $folder = Checks::ids(self::single($request->parameters()), ['folder_id'])['folder_id'];
        $this->allow($user, 'read', null, $folder);
        return Response::json(200, $this->users->with($user, fn ($managed) => $this->service->clips($managed, $folder)));
    }

    private function clip(string $user, string $id, Request $request): Response
    {
        $clip = ['project_id' => $id] + Checks::ids(self::single($request->parameters()), [], ['folder_id']);
        $this->allow($user, 'read', $id, $clip['folder_id'] ?? null);
        return Response::json(200, $this->users->with($user, fn ($managed) => $this->service->clip($managed, $clip)));
    }

    private function allowance(string $user, string $id, Request $request): Response
    {
        $folder = Checks::ids(self::single($request->parameters()), [], ['folder_id'])['folder_id'] ?? null;
        $this->allow($user, 'read', $id, $folder);
        return Response::text(200, $this->users->with($user, fn ($managed) => $this->service->allowance($managed, $id)), []);
    }

    private function links(string $user, string $id, Request $request): Response
    {
        $folder = Checks::ids(self::single($request->parameters()), [], ['folder_id'])['folder_id'] ?? null;
        Checks::ids(self::body($request));
        $this->allow($user, 'read', $id, $folder);
        return Response::text(200, $this->users->with($user, fn ($managed) => $this->service->links($managed, $id)), []);
    }

    private function edit(string $user, string $id, Request $request, bool $changes): Response
    {
        $folder = Checks::ids(self::single($request->parameters()), [], ['folder_id'])['folder_id'] ?? null;
        if ($changes) Checks::patch(self::body($request));
        $this->allow($user, 'edit', $id, $folder);
        // Sent as the page has sent it: the service decides about the revision and the change.
        [$patch, $revision] = $changes ? [$request->body, $request->header('if-match')] : [null, null];
        [$json, $tag] = $this->users->with($user, fn ($managed) => $this->service->edit($managed, $id, $patch, $revision));
        return Response::text(200, $json, $tag);
    }

    private function createClip(string $user, string $folder, Request $request): Response
    {
        Checks::ids(self::single($request->parameters()));
        $key = self::attemptKey($request);
        $body = Checks::newClip(self::body($request));
        $this->allow($user, 'edit', null, $folder);
        return Response::json(201, $this->users->with($user, fn ($managed) => $this->service->makeClip($managed, rawurlencode($folder), $body, $key)));
    }

    private function copyClip(string $user, string $id, Request $request): Response
    {
        $folder = Checks::ids(self::single($request->parameters()), [], ['folder_id'])['folder_id'] ?? null;
        $key = self::attemptKey($request);
        Checks::ids(self::body($request));
        $this->allow($user, 'edit', $id, $folder);
        return Response::json(201, $this->users->with($user, fn ($managed) => $this->service->makeClip($managed, rawurlencode($id) . '/copy', [], $key)));
    }

    private function tasks(string $user, Request $request): Response
    {
        $query = self::single($request->parameters());
        if (isset($query['attempt'])) return $this->attempt($user, $query, fn ($stored) => TaskCall::stored($this->service, $stored));
        $page = Checks::taskPage($query);
        $this->allow($user, 'read', null, null);
        [$tasks, $next] = $this->taskList->read($user, $page);
        // Relative: a proxy may have changed the path.
        $query = http_build_query(array_intersect_key($page, ['limit' => 1]) + ['cursor' => $next], '', '&', PHP_QUERY_RFC3986);
        return Response::json(200, $tasks, $next === null ? [] : ['Link' => "<?$query>; rel=\"next\""]);
    }

    private function createTask(string $user, string $type, Request $request): Response
    {
        // Closing the page must not interrupt a start.
        ignore_user_abort(true);
        $key = self::attemptKey($request);
        $body = Checks::task($type, self::body($request));
        $this->allow($user, 'task', null, null);
        $name = fn ($task) => is_string($body['name'] ?? $task['name'] ?? null) ? $body['name'] ?? $task['name'] : 'Upload';
        $call = new TaskCall($this->service, $type, $body, fn ($task) => $this->taskList->keep($user, $task, $name($task)));
        [$task, $replayed] = $this->starts->start($user, $key, $call);
        return Response::json($replayed ? 200 : 201, $task);
    }

    private function task(string $user, string $id, Request $request): Response
    {
        Checks::ids(self::single($request->parameters()));
        $this->allow($user, 'read', null, null);
        return Response::json(200, $this->users->with($user, fn ($managed) => $this->service->task($managed, $id)));
    }

    private function deleteTask(string $user, string $id, Request $request): Response
    {
        Checks::ids(self::single($request->parameters()));
        $this->allow($user, 'delete', null, null);
        $this->taskList->remove($user, $id);
        return Response::empty(204);
    }

    private function createUpload(string $user, Request $request): Response
    {
        Checks::ids(self::single($request->parameters()));
        $key = $request->header('idempotency-key') === null ? null : self::attemptKey($request);
        $file = Checks::newUpload(self::body($request));
        $this->allow($user, 'upload', null, null);
        return Response::json(201, $this->users->with($user, fn ($managed) => $this->service->createUpload($managed, $file, $key)));
    }

    private function upload(string $user, string $id, Request $request): Response
    {
        Checks::ids(self::single($request->parameters()));
        $this->allow($user, 'read', null, null);
        return Response::json(200, $this->users->with($user, fn ($managed) => $this->service->upload($managed, $id)));
    }

    private function deleteUpload(string $user, string $id, Request $request): Response
    {
        Checks::ids(self::single($request->parameters()));
        $this->allow($user, 'upload', null, null);
        $this->users->with($user, fn ($managed) => $this->service->deleteUpload($managed, $id));
        return Response::empty(204);
    }

    private static function attemptKey(Request $request): string
    {
        $key = $request->header('idempotency-key') ?? '';
        return Checks::isAttemptKey($key) ? $key : throw Problem::invalid('Idempotency-Key', 'must be 8 to 128 characters of A-Z a-z 0-9 . _ -');
    }

    private function allow(string $user, string $action, ?string $project, ?string $folder): void
    {
        if ($this->authorize && ($this->authorize)($user, $action, $project, $folder) !== true) throw new Problem('forbidden');
    }

    /** @return array<mixed> */
    private static function body(Request $request): array
    {
        $type = strtolower(trim(explode(';', $request->header('content-type') ?? '')[0]));
        if ($type !== 'application/json') throw new Problem('unsupported-media-type');
        if (strlen($request->body) > Request::MAX_BODY_BYTES) throw new Problem('body-too-large');
        $value = json_decode($request->body, false, 16);
        return $value instanceof \stdClass ? get_object_vars($value) : throw Problem::invalid('', 'must be a JSON object');
    }

    /**
     * @param array<string, list<string>> $parameters
     * @return array<string, string>
     */
    private static function single(array $parameters): array
    {
        foreach ($parameters as $name => $values) {
            if (count($values) > 1) throw Problem::invalid((string) $name, 'must be given once');
        }
        return array_map(fn ($values) => $values[0], $parameters);
    }

    private function write(string $message): void
    {
        ($this->log ?? 'error_log')("clip host: $message");
    }
}
