<?php
declare(strict_types=1);
namespace ClipKit\Host;

final class Response
{
    /**
     * @param array<string, string> $headers
     * @param ?resource $stream takes the place of the body
     */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
        public readonly mixed $stream = null,
    ) {
    }

    /** @param array<string, string> $headers */
    public static function json(int $status, mixed $value, array $headers = []): self
    {
        $body = json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
            | JSON_PRESERVE_ZERO_FRACTION | JSON_INVALID_UTF8_SUBSTITUTE);
        return self::text($status, $body, $headers);
    }

    /**
     * @param string $body JSON
     * @param array<string, string> $headers
     */
    public static function text(int $status, string $body, array $headers = []): self
    {
        $type = $status < 400 ? 'application/json' : 'application/problem+json';
        return new self($status, self::always() + ['Content-Type' => $type] + $headers, $body);
    }

    public static function file(Download $file, string $name): self
    {
        $kind = ['Content-Type' => 'video/mp4', 'Content-Disposition' => Download::attachment($name)];
        return new self($file->status, self::always() + ($file->status === 416 ? [] : $kind) + $file->headers, '', $file->stream);
    }

    /** @param array<string, string> $headers */
    public static function empty(int $status, array $headers = []): self
    {
        return new self($status, self::always() + $headers, '');
    }

    /** @param array<string, string> $headers */
    public function with(array $headers): self
    {
        return new self($this->status, $headers + $this->headers, $this->body, $this->stream);
    }

    /** Sends it from plain PHP. */
    public function send(string $method = 'GET'): void
    {
        http_response_code($this->status);
        foreach ($this->headers as $name => $value) header("$name: $value");
        if ($method === 'HEAD') return;
        if (!$this->stream) {
            echo $this->body;
            return;
        }
        // A long download must not fill the memory, end in the middle, or keep the session locked.
        set_time_limit(0);
        ignore_user_abort(false);
        if (session_status() === PHP_SESSION_ACTIVE) session_write_close();
        while (ob_get_level() > 0 && ob_end_clean());
        fpassthru($this->stream);
    }

    /** @return array<string, string> */
    private static function always(): array
    {
        return ['Cache-Control' => 'no-store', 'X-Content-Type-Options' => 'nosniff'];
    }
}
