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

    /** @var array<string, array<string, mixed>> clips that were made, by their keys */
    public array $clips = [];
    /** The revision of every edit, and the changes that were sent. */
    public int $revision = 7;
    /** @var list<string> */
    public array $changes = [];

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
        if ($method === 'POST' && !str_ends_with($path, '/exports')) {
            $this->clips[$headers['Idempotency-Key']] ??= ['id' => 'clip-' . (count($this->clips) + 1), 'path' => $path, 'sent' => $body];
            return self::json(201, $this->clips[$headers['Idempotency-Key']] + ['name' => 'Dawn', 'revision' => 1]);
        }
        if ($method === 'GET') return self::json(200, $this->exports);
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
