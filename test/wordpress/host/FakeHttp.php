<?php
declare(strict_types=1);

use ClipKit\Host\Http;

/** A clip service in memory: its users, and the exports that were started. */
final class FakeHttp implements Http
{
    /** @var list<string> */
    public array $users = [];
    /** @var list<array<string, mixed>> */
    public array $exports = [];
    /** @var list<array{0: int, 1: string, 2: array<string, string>}> answers to the next starts */
    public array $fails = [];
    /** @var list<array{0: int, 1: string, 2: array<string, string>}> answers to the next requests for a token */
    public array $tokens = [];
    /** @var list<string> the bodies of the requests for a token */
    public array $tokensAsked = [];
    /** Whether tokens have permissions; the specification's have none. */
    public bool $tokenPermissions = false;

    /** @var array<string, list<array<string, mixed>>> the clips of each folder */
    public array $folders = [];
    /** @var array<string, array<string, mixed>> clips that were made, by their keys */
    public array $clips = [];
    /** The revision of every edit, and the changes that were sent. */
    public int $revision = 7;
    /** @var list<string> */
    public array $changes = [];

    /** @var array<string, array{user: string, task: array<string, mixed>}> */
    public array $tasks = [];
    /** @var list<string> the bodies of the starts */
    public array $tasksSent = [];
    /** @var array<string, array{user: string, key: ?string, upload: array<string, mixed>}> */
    public array $uploads = [];
    /** @var list<array{0: int, 1: string, 2: array<string, string>}> answers to the next uploads */
    public array $refusedUploads = [];
    /** Whether it names keys. It has forgotten what they have started. */
    public bool $keepsKeys = false;
    /** Whether it has uploads and lists of tasks. */
    public bool $extensions = true;

    public function send(string $method, string $url, array $headers, ?string $body): array
    {
        $path = substr($url, strlen('https://service.example/v2'));
        if ("$method $path" === 'POST /users') {
            $this->users[] = 'managed-' . (count($this->users) + 1);
            return self::json(201, ['id' => end($this->users)]);
        }
        if (preg_match('#^/users/([^/]+)/tokens$#', $path, $found)) {
            $this->tokensAsked[] = (string) $body;
            if ($this->tokens) return array_shift($this->tokens);
            if ($body !== '{}' && !$this->tokenPermissions) return self::json(400, ['errors' => [['path' => 'permissions', 'message' => 'unknown field']]]);
            return in_array($found[1], $this->users, true) ? self::json(201, ['external_access_token' => 'a.e30.b']) : self::json(404, (object) ['code' => 'not-found']);
        }
        if (!in_array($headers['X-On-Behalf-Of'], $this->users, true)) return self::json(403, []);
        if (preg_match('#^/projects/[^/]+/edit$#', $path)) return $this->edit($method, $headers, $body);
        if (preg_match('#^/(tasks|uploads)\b#', $path)) return $this->video($method, $path, $headers, (string) $body);
        if ($method === 'POST' && !str_ends_with($path, '/exports')) {
            $this->clips[$headers['Idempotency-Key']] ??= ['id' => 'clip-' . (count($this->clips) + 1), 'path' => $path, 'sent' => $body];
            return self::json(201, $this->clips[$headers['Idempotency-Key']] + ['name' => 'Dawn', 'revision' => 1]);
        }
        if ($method === 'GET' && preg_match('#^/projects/([^/]+)$#', $path, $found)) {
            $clips = $this->folders[$found[1]] ?? null;
            return $clips === null ? self::json(404, ['code' => 'not-found']) : self::json(200, ['projects' => $clips]);
        }
        if ($method === 'GET') return [200, json_encode($this->exports), $this->keepsKeys ? ['idempotency-key' => $headers['Idempotency-Key'] ?? ''] : []];
        if ($this->fails) return array_shift($this->fails);
        $this->exports[] = ['id' => 'export-' . (count($this->exports) + 1), 'status' => 'pending', 'project_id' => 'p',
            'created_at' => '2999-01-01T00:00:00.123Z', 'sent' => $body, 'key' => $headers['Idempotency-Key'] ?? null,
            'src_url' => 'javascript:alert(1)'];
        return self::json(200, end($this->exports));
    }

    /**
     * @param array<string, string> $headers
     * @return array{0: int, 1: string, 2: array<string, string>}
     */
    private function video(string $method, string $path, array $headers, string $body): array
    {
        $user = $headers['X-On-Behalf-Of'];
        $notFound = self::json(404, ['code' => 'not-found']);
        if (!$this->extensions && !preg_match('#^/tasks/.#', $path)) return $notFound;
        if ($method === 'POST' && str_starts_with($path, '/tasks/')) {
            $this->tasksSent[] = $body;
            if ($this->fails) return array_shift($this->fails);
            $id = 'task-' . (count($this->tasks) + 1);
            $this->tasks[$id] = ['user' => $user, 'task' => ['id' => $id, 'type' => substr($path, 7), 'status' => 'pending',
                'created_at' => '2026-01-31T10:00:00Z', 'output_type' => 'folder', 'output_id' => 'f']];
            return self::json(201, $this->tasks[$id]['task']);
        }
        if ($method === 'POST') {
            if ($this->refusedUploads) return array_shift($this->refusedUploads);
            $key = $headers['Idempotency-Key'] ?? null;
            foreach ($this->uploads as $one) if ($key !== null && [$one['user'], $one['key']] === [$user, $key]) return self::json(201, $one['upload']);
            $id = 'upload-' . (count($this->uploads) + 1);
            $upload = ['id' => $id, 'status' => 'open', 'protocol' => 'tus', 'url' => "https://service.example/uploads/$id", 'offset' => 0,
                'created_at' => '2026-01-31T10:00:00Z', 'expires_at' => '2026-02-01T10:00:00Z', 'internal' => true] + json_decode($body, true);
            $this->uploads[$id] = ['user' => $user, 'key' => $key, 'upload' => $upload];
            return self::json(201, $upload);
        }
        [$call, $query] = explode('?', $path, 2) + [1 => ''];
        parse_str($query, $page);
        if ($call === '/tasks') {
            $own = array_values(array_filter($this->tasks, fn ($one) => $one['user'] === $user));
            $from = (int) ($page['cursor'] ?? 0);
            $shown = array_slice($own, $from, (int) ($page['limit'] ?? 20));
            $next = $from + count($shown);
            return [200, json_encode(array_column($shown, 'task')), $next < count($own) ? ['link' => "</v2/tasks?limit=1&cursor=$next>; rel=\"next\""] : []];
        }
        [, $kind, $id] = explode('/', $call);
        $known = $this->$kind[rawurldecode($id)] ?? null;
        if (($known['user'] ?? null) !== $user) return $notFound;
        if ($method === 'GET') return self::json(200, $known[rtrim($kind, 's')]);
        if (!$this->extensions) return self::json(405, []);
        unset($this->$kind[rawurldecode($id)]);
        return [204, '', []];
    }

    /**
     * @param array<string, string> $headers
     * @return array{0: int, 1: string, 2: array<string, string>}
     */
    private function edit(string $method, array $headers, ?string $body): array
    {
        if ($method === 'PATCH') {
            if (!isset($headers['If-Match'])) return self::json(428, ['code' => 'revision-missing']);
            if ($headers['If-Match'] !== "\"$this->revision\"") return self::json(412, ['code' => 'revision-changed']);
            if (str_contains((string) $body, '-1')) return self::json(422, ['errors' => [['path' => 'changes.start', 'message' => 'must be 0 or more']]]);
            $this->changes[] = (string) $body;
            $this->revision++;
        }
        return [200, "{\"revision\":$this->revision,\"changes\":{}}", ['etag' => "\"$this->revision\""]];
    }

    /** @return array{0: int, 1: string, 2: array<string, string>} */
    public static function json(int $status, mixed $value): array
    {
        return [$status, json_encode($value), []];
    }
}
