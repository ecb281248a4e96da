<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** Calls to the clip service. Holds the key, which goes nowhere else. */
final class Service
{
    private const STATUSES = ['pending' => 'processing', 'in_progress' => 'processing', 'processing' => 'processing',
        'completed' => 'ready', 'ready' => 'ready', 'failed' => 'error', 'error' => 'error'];
    private const EXPORT_FIELDS = ['id', 'status', 'src_url', 'estimated_ready_at', 'project_id', 'created_at', 'finished_at',
        'name', 'author_id', 'folder_id', 'descriptions', 'watermarked'];
    private const TASK_FIELDS = ['id', 'created_at', 'output_type', 'output_id'];
    /** Beside the specification: sent only if the service sends them. */
    private const MORE_TASK_FIELDS = ['progress', 'failure', 'notes', 'name', 'source_seconds', 'source_task_id', 'picture_url', 'clip_count'];
    private const UPLOAD_FIELDS = ['id', 'status', 'protocol', 'url', 'name', 'size', 'offset', 'created_at', 'expires_at'];
    private const CLIP_FIELDS = ['id', 'author_id', 'folder_id', 'name', 'created_at', 'virality_score', 'virality_score_explanation'];

    /**
     * @param string $baseUrl such as `https://clips.example/v2`
     * @param bool $direct addresses a clip in a folder only by its id
     */
    public function __construct(
        private readonly string $baseUrl,
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly Http $http,
        private readonly bool $direct = false,
    ) {
        if (!preg_match('#^https?://[^\s/?\#]+[^\s?\#]*$#iD', $baseUrl)) throw new \InvalidArgumentException('The service’s address is not a URL.');
        if (!preg_match('/^[\x21-\x7e]+$/D', $apiKey)) throw new \InvalidArgumentException('The service’s key is missing.');
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /** Throws a problem unless the service answers and accepts the key. Costs nothing. */
    public function check(): void
    {
        self::listIn($this->call('GET', '/exports'), 'exports');
    }

    public function createUser(): string
    {
        return self::idIn($this->call('POST', '/users'), 'id');
    }

    /** @param ?list<string> $permissions null: the service's default */
    public function createToken(string $managedUser, ?array $permissions = null): string
    {
        $path = '/users/' . rawurlencode($managedUser) . '/tokens';
        $body = $permissions === null ? [] : ['permissions' => $permissions];
        return self::idIn($this->call('POST', $path, body: $body), 'external_access_token');
    }

    /**
     * The export, or the record of a start that has only its id. A service that keeps keys starts
     * nothing twice for a key.
     *
     * @param array{project_id: string, folder_id?: string} $clip
     * @param array<string, mixed> $options
     * @return array<string, mixed>
     */
    public function startExport(string $managedUser, array $clip, array $options, string $key): array
    {
        $started = $this->call('POST', $this->clipPath($clip) . '/exports', $managedUser, $options, 'clip-not-found', true, $key);
        try {
            self::idIn($started, 'id');
            return isset($started['project_id']) ? self::exportIn($started) : ['id' => $started['id']];
        } catch (Problem $problem) {
            throw new Problem($problem->problemCode, unknownOutcome: true, reason: $problem->reason);
        }
    }

    /**
     * @param array{project_id: string, folder_id?: string} $clip
     * @return array<string, mixed>
     */
    public function export(string $managedUser, array $clip, string $id): array
    {
        $path = $this->clipPath($clip) . '/exports/' . rawurlencode($id);
        return self::exportIn($this->call('GET', $path, $managedUser, missing: 'export-not-found'));
    }

    /**
     * @param array<string, string> $filter
     * @return list<array<string, mixed>>
     */
    public function exports(string $managedUser, array $filter = []): array
    {
        $query = http_build_query($filter, '', '&', PHP_QUERY_RFC3986);
        $found = $this->call('GET', '/exports' . ($query === '' ? '' : "?$query"), $managedUser);
        return array_map([self::class, 'exportIn'], self::listIn($found, 'exports'));
    }

    /**
     * The exports of a clip (null: of all); of a service that keeps keys, only what the key has started.
     *
     * @return array{0: list<array<string, mixed>>, 1: bool, 2: bool} the exports, whether the service
     *     keeps keys, and whether the list is whole
     */
    public function findExports(string $managedUser, ?string $project, ?string $key): array
    {
        $path = '/exports' . ($project === null ? '' : '?' . http_build_query(['project_id' => $project], '', '&', PHP_QUERY_RFC3986));
        $found = $this->call('GET', $path, $managedUser, key: $key, answered: $answered);
        $isWhole = !preg_match('/rel="?next"?/', $answered['link'] ?? '');
        $exports = array_map([self::class, 'exportIn'], self::listIn($found, 'exports'));
        return [$exports, $key !== null && ($answered['idempotency-key'] ?? null) === $key, $isWhole];
    }

    /**
     * The bytes of a ready export: at its public address, without the key, or by the service's own
     * download.
     *
     * @param array<string, mixed> $export
     * @param array<string, string> $part the headers that ask for a part
     */
    public function file(string $managedUser, array $export, array $part): Download
    {
        $found = $export['src_url'] === null ? null : Download::open($export['src_url'], $part);
        $own = rtrim($this->baseUrl, '/') . '/projects/' . rawurlencode($export['project_id']) . '/download?export_id=' . rawurlencode($export['id']);
        $headers = $part + ['Authorization' => "Bearer $this->apiKey", 'X-On-Behalf-Of' => $managedUser];
        return $found ?? Download::open($own, $headers, redirects: 0)
            ?? throw new Problem('service-error', reason: 'the service gives no file for the download, or allow_url_fopen is off');
    }

    /**
     * @param array{project_id: string, folder_id?: string} $clip
     * @return array<string, mixed>
     */
    public function clip(string $managedUser, array $clip): array
    {
        return self::clipIn($this->call('GET', $this->clipPath($clip), $managedUser, missing: 'clip-not-found'));
    }

    /** @return list<array<string, mixed>> */
    public function clips(string $managedUser, string $folder): array
    {
        $found = $this->call('GET', '/projects/' . rawurlencode($folder), $managedUser, missing: 'clip-not-found');
        return array_map([self::class, 'clipIn'], self::listIn($found, 'projects'));
    }

    /**
     * A service that keeps keys starts nothing twice for a key.
     *
     * @param 'video-to-shorts'|'video-to-video' $type
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public function createTask(string $managedUser, string $type, array $body, string $key): array
    {
        $started = $this->call('POST', "/tasks/$type", $managedUser, $body, paid: true, key: $key);
        try {
            return self::taskIn($started);
        } catch (Problem $problem) {
            throw new Problem($problem->problemCode, unknownOutcome: true, reason: $problem->reason);
        }
    }

    /** @return array<string, mixed> */
    public function task(string $managedUser, string $id): array
    {
        return self::taskIn($this->call('GET', '/tasks/' . rawurlencode($id), $managedUser));
    }

    /**
     * A page of the user's tasks, newest first.
     *
     * @param array<string, string> $page `limit` and `cursor`
     * @return array{0: list<array<string, mixed>>, 1: ?string} the tasks, and the cursor of the next page
     */
    public function tasks(string $managedUser, array $page): array
    {
        $query = http_build_query($page, '', '&', PHP_QUERY_RFC3986);
        $found = $this->call('GET', '/tasks' . ($query === '' ? '' : "?$query"), $managedUser, missing: 'not-supported', answered: $answered);
        preg_match('/<[^>]*[?&]cursor=([^&>]*)[^>]*>\s*;\s*rel="?next"?/', $answered['link'] ?? '', $next);
        return [array_map([self::class, 'taskIn'], self::listIn($found, 'tasks')), isset($next[1]) ? urldecode($next[1]) : null];
    }

    public function deleteTask(string $managedUser, string $id): void
    {
        $this->call('DELETE', '/tasks/' . rawurlencode($id), $managedUser);
    }

    /**
     * Where the bytes of a file go. The service makes no second upload for a key.
     *
     * @param array<string, mixed> $file
     * @return array<string, mixed>
     */
    public function createUpload(string $managedUser, array $file, ?string $key): array
    {
        return self::uploadIn($this->call('POST', '/uploads', $managedUser, $file, 'not-supported', key: $key));
    }

    /** @return array<string, mixed> */
    public function upload(string $managedUser, string $id): array
    {
        return self::uploadIn($this->call('GET', '/uploads/' . rawurlencode($id), $managedUser, missing: 'upload-not-found'));
    }

    public function deleteUpload(string $managedUser, string $id): void
    {
        $this->call('DELETE', '/uploads/' . rawurlencode($id), $managedUser, missing: 'upload-not-found');
    }

    /**
     * @param array<string, mixed> $body of a POST
     * @param bool $paid whether a lost answer may have cost something
     * @param ?array<string, string> $answered the headers of the answer
     * @return array<mixed>
     */
    private function call(string $method, string $path, ?string $managedUser = null, array $body = [],
        string $missing = 'not-found', bool $paid = false, ?string $key = null, ?array &$answered = null): array
    {
        $text = $method === 'POST' ? json_encode((object) $body, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION) : null;
        $more = $key === null ? [] : ['Idempotency-Key' => $key];
        return json_decode($this->exchange($method, $path, $managedUser, $text, $more, $missing, $paid, $answered), true);
    }

    /**
     * The JSON of an answer, an object or a list, as it is.
     *
     * @param array<string, string> $more headers
     * @param ?array<string, string> $answered the headers of the answer
     */
    private function exchange(string $method, string $path, ?string $managedUser, ?string $text, array $more,
        string $missing, bool $paid = false, ?array &$answered = null): string
    {
        $headers = ['Authorization' => "Bearer $this->apiKey", 'Accept' => 'application/json'] + $more;
        if ($managedUser !== null) $headers['X-On-Behalf-Of'] = $managedUser;
        if ($text !== null) $headers['Content-Type'] = 'application/json';
        try {
            [$status, $answer, $answered] = $this->http->send($method, rtrim($this->baseUrl, '/') . $path, $headers, $text);
        } catch (HttpFailure $failure) {
            $code = $failure->timedOut ? 'service-timeout' : 'service-unavailable';
            throw new Problem($code, unknownOutcome: $paid ?: null, reason: $failure->getMessage());
        }
        $value = json_decode($answer, true);
        // The id of an upload is an address that takes its bytes.
        $isUpload = str_starts_with($path, '/uploads');
        $reason = "the service answered $status to $method " . ($isUpload ? '/uploads' : strtok($path, '?'));
        // What was deleted has no body.
        if ($status === 204) return '[]';
        if ($status >= 200 && $status < 300) {
            return is_array($value) ? $answer : throw new Problem('service-error', unknownOutcome: $paid ?: null, reason: $reason);
        }
        $errors = self::errorsIn($value);
        // 408: a proxy may have given up on a call that succeeded. 409: an earlier call with the
        // attempt's key, and other options, has succeeded.
        $unknown = !$paid ? null : ($status < 400 || $status >= 500 || in_array($status, [408, 409], true));
        $code = match (true) {
            $status === 404, $status === 400 && $missing === 'clip-not-found' && !$errors => $missing,
            $status === 400 => 'invalid-request',
            $status === 402 => 'export-limit',
            $status === 409 && $isUpload => 'attempt-mismatch',
            $status === 412 => 'revision-changed',
            $status === 413 && $isUpload => 'upload-too-large',
            $status === 422 => 'unprocessable',
            $status === 428 => 'revision-missing',
            $status === 429 => 'rate-limited',
            !$paid && in_array($status, [405, 501], true) => 'not-supported',
            $status === 503 => 'service-unavailable',
            $status === 504 => 'service-timeout',
            $status === 507 && ($isUpload || str_starts_with($path, '/tasks/')) => 'storage-full',
            default => 'service-error',
        };
        throw new Problem(
            $code,
            in_array($status, [400, 413, 422], true) ? $errors : [],
            $unknown,
            $status === 429 ? ['Retry-After' => preg_match('/^\d{1,6}$/D', $answered['retry-after'] ?? '') ? $answered['retry-after'] : '5'] : [],
            $reason,
            $status,
            is_array($value) && !array_is_list($value),
            $isUpload && is_string($value['detail'] ?? null) ? $value['detail'] : '',
        );
    }

    /**
     * The edit of a clip as the service sends it, after the change if there is one: JSON, and its
     * revision as the `ETag`.
     *
     * @param ?string $patch the body of the change, as JSON
     * @param ?string $revision the `If-Match` of the page
     * @return array{0: string, 1: array<string, string>}
     */
    public function edit(string $managedUser, string $project, ?string $patch = null, ?string $revision = null): array
    {
        $more = $revision === null ? [] : ['If-Match' => $revision];
        $path = '/projects/' . rawurlencode($project) . '/edit';
        $json = $this->exchange($patch === null ? 'GET' : 'PATCH', $path, $managedUser, $patch, $more, 'clip-not-found', answered: $answered);
        return [$json, isset($answered['etag']) ? ['ETag' => $answered['etag']] : []];
    }

    /** What an export of a clip would cost now, as the service sends it: JSON. */
    public function allowance(string $managedUser, string $project): string
    {
        return $this->exchange('GET', '/projects/' . rawurlencode($project) . '/allowance', $managedUser, null, [], 'clip-not-found');
    }

    /** The addresses with which a clip can be watched, as the service sends them: JSON. */
    public function links(string $managedUser, string $project): string
    {
        return $this->exchange('POST', '/projects/' . rawurlencode($project) . '/links', $managedUser, '{}', [], 'clip-not-found');
    }

    /**
     * A clip of a segment of a folder's source, or a copy. The service makes nothing twice for a key.
     *
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public function makeClip(string $managedUser, string $path, array $body, string $key): array
    {
        return self::clipIn($this->call('POST', "/projects/$path", $managedUser, $body, 'clip-not-found', key: $key));
    }

    /** @param array{project_id: string, folder_id?: string} $clip */
    private function clipPath(array $clip): string
    {
        $names = $this->direct || !isset($clip['folder_id']) ? [$clip['project_id']] : [$clip['folder_id'], $clip['project_id']];
        return '/projects/' . implode('/', array_map('rawurlencode', $names));
    }

    /** @return list<array{path: string, message: string}> */
    private static function errorsIn(mixed $value): array
    {
        $found = is_array($value) && is_array($value['errors'] ?? null) ? $value['errors'] : [];
        $valid = array_filter($found, fn ($one) => is_array($one) && is_string($one['path'] ?? null) && is_string($one['message'] ?? null));
        return array_values(array_map(fn ($one) => ['path' => $one['path'], 'message' => $one['message']], $valid));
    }

    /** @param array<mixed> $value */
    private static function idIn(array $value, string $field): string
    {
        $id = $value[$field] ?? null;
        return is_string($id) && Checks::isId($id) ? $id : throw new Problem('service-error', reason: "an answer of the service has no $field");
    }

    /**
     * @param array<mixed> $value
     * @return list<array<string, mixed>>
     */
    private static function listIn(array $value, string $name): array
    {
        $found = $value[$name] ?? $value;
        $isList = is_array($found) && array_is_list($found) && array_filter($found, 'is_array') === $found;
        return $isList ? $found : throw new Problem('service-error', reason: "an answer of the service is not a list of $name");
    }

    /**
     * @param array<mixed> $value
     * @return array<string, mixed>
     */
    private static function exportIn(array $value): array
    {
        self::idIn($value, 'id');
        $status = self::STATUSES[is_string($value['status'] ?? null) ? $value['status'] : '']
            ?? throw new Problem('service-error', reason: 'an export has an unknown status');
        $url = $value['src_url'] ?? null;
        // Pages put it into a link: no "javascript:" of a strange service gets so far.
        $value['src_url'] = is_string($url) && preg_match('#^https?://#i', $url) ? $url : null;
        $named = array_map(fn ($name) => $value[$name] ?? null, self::EXPORT_FIELDS);
        $revision = is_int($value['revision'] ?? null) ? ['revision' => $value['revision']] : [];
        return ['status' => $status] + array_combine(self::EXPORT_FIELDS, $named) + $revision;
    }

    /**
     * @param array<mixed> $value
     * @return array<string, mixed>
     */
    private static function clipIn(array $value): array
    {
        self::idIn($value, 'id');
        $named = array_map(fn ($name) => $value[$name] ?? null, self::CLIP_FIELDS);
        $picture = array_intersect_key($value, ['poster_url' => 1, 'width' => 1, 'height' => 1, 'duration' => 1, 'notes' => 1, 'revision' => 1, 'topic' => 1]);
        return array_combine(self::CLIP_FIELDS, $named) + array_filter($picture, fn ($one) => $one !== null);
    }

    /**
     * @param array<mixed> $value
     * @return array<string, mixed>
     */
    private static function taskIn(array $value): array
    {
        self::idIn($value, 'id');
        self::idIn($value, 'output_id');
        $status = self::STATUSES[is_string($value['status'] ?? null) ? $value['status'] : '']
            ?? throw new Problem('service-error', reason: 'a task has an unknown status');
        $type = strtr(is_string($value['type'] ?? null) ? $value['type'] : '', '_', '-');
        $named = array_map(fn ($name) => $value[$name] ?? null, self::TASK_FIELDS);
        $more = array_intersect_key($value, array_flip(self::MORE_TASK_FIELDS));
        if (!preg_match('#^https?://#i', (string) ($more['picture_url'] ?? ''))) unset($more['picture_url']);
        return ['type' => $type, 'status' => $status] + array_combine(self::TASK_FIELDS, $named) + array_filter($more, fn ($one) => $one !== null);
    }

    /**
     * @param array<mixed> $value
     * @return array<string, mixed>
     */
    private static function uploadIn(array $value): array
    {
        self::idIn($value, 'id');
        $named = array_map(fn ($name) => $value[$name] ?? null, self::UPLOAD_FIELDS);
        $isWhole = !in_array(null, $named, true) && preg_match('#^https?://#i', (string) $value['url']);
        return $isWhole ? array_combine(self::UPLOAD_FIELDS, $named) : throw new Problem('service-error', reason: 'an answer of the service is not an upload');
    }
}
