<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** How the service is called. Redirects must not be followed: the key would go elsewhere. */
interface Http
{
    /**
     * @param array<string, string> $headers
     * @return array{0: int, 1: string, 2: array<string, string>} status, body and headers, their
     *     names in lower case
     * @throws HttpFailure without an answer
     */
    public function send(string $method, string $url, array $headers, ?string $body): array;
}
