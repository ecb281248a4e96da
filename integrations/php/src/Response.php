<?php
declare(strict_types=1);
namespace ClipKit\Host;

final class Response
{
    /** @param array<string, string> $headers */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }

    /** @param array<string, string> $headers */
    public static function json(int $status, mixed $value, array $headers = []): self
    {
        $type = $status < 400 ? 'application/json' : 'application/problem+json';
        $body = json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
            | JSON_PRESERVE_ZERO_FRACTION | JSON_INVALID_UTF8_SUBSTITUTE);
        return new self($status, self::always() + ['Content-Type' => $type] + $headers, $body);
    }

    public static function redirect(string $url): self
    {
        return new self(302, self::always() + ['Location' => $url], '');
    }

    /** @param array<string, string> $headers */
    public static function empty(int $status, array $headers = []): self
    {
        return new self($status, self::always() + $headers, '');
    }

    /** Sends it from plain PHP. */
    public function send(string $method = 'GET'): void
    {
        http_response_code($this->status);
        foreach ($this->headers as $name => $value) header("$name: $value");
        if ($method !== 'HEAD') echo $this->body;
    }

    /** @return array<string, string> */
    private static function always(): array
    {
        return ['Cache-Control' => 'no-store', 'X-Content-Type-Options' => 'nosniff'];
    }
}
