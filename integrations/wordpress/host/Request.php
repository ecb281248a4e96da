<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** What the host needs of a request. Paths and queries are as sent, not decoded. */
final class Request
{
    /** More of a body is not read. */
    public const MAX_BODY_BYTES = 65536;

    /**
     * @param array<string, string> $headers names in lower case
     * @param string $body at most one byte longer than allowed
     * @param string $origin of the site: scheme, host and port
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly string $query = '',
        public readonly array $headers = [],
        public readonly string $body = '',
        public readonly string $origin = '',
    ) {
    }

    /**
     * The request that this PHP process is answering.
     *
     * @param ?array<string, mixed> $server instead of `$_SERVER`
     */
    public static function fromGlobals(?array $server = null): self
    {
        $server ??= $_SERVER;
        $headers = [];
        foreach ($server as $name => $value) {
            if (str_starts_with($name, 'HTTP_')) $headers[strtolower(strtr(substr($name, 5), '_', '-'))] = (string) $value;
        }
        $headers['content-type'] = (string) ($server['CONTENT_TYPE'] ?? '');
        [$path, $query] = explode('?', (string) ($server['REQUEST_URI'] ?? '/'), 2) + [1 => ''];
        $secure = !in_array(strtolower((string) ($server['HTTPS'] ?? '')), ['', 'off'], true);
        return new self(
            (string) ($server['REQUEST_METHOD'] ?? 'GET'),
            $path,
            $query,
            $headers,
            (string) file_get_contents('php://input', false, null, 0, self::MAX_BODY_BYTES + 1),
            ($secure ? 'https://' : 'http://') . ($headers['host'] ?? ''),
        );
    }

    public function header(string $name): ?string
    {
        return $this->headers[$name] ?? null;
    }

    /**
     * The query's values by name. `$_GET` keeps only the last one of a name.
     *
     * @return array<string, list<string>>
     */
    public function parameters(): array
    {
        $found = [];
        foreach (explode('&', $this->query) as $pair) {
            if ($pair === '') continue;
            [$name, $value] = array_map('urldecode', explode('=', $pair, 2) + [1 => '']);
            $found["=$name"][] = $value;
        }
        // PHP turns a key such as "1" into a number; names stay texts.
        $named = [];
        foreach ($found as $name => $values) $named[substr($name, 1)] = $values;
        return $named;
    }
}
