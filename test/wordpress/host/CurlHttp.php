<?php
declare(strict_types=1);
namespace ClipKit\Host;

final class CurlHttp implements Http
{
    public function __construct(private readonly int $timeoutSeconds = 30)
    {
    }

    public function send(string $method, string $url, array $headers, ?string $body): array
    {
        $answered = [];
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => array_map(fn ($name) => "$name: $headers[$name]", array_keys($headers)),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_TIMEOUT => $this->timeoutSeconds,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$answered): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $answered[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
        $answer = curl_exec($curl);
        if ($answer === false) {
            $failed = curl_errno($curl);
            throw new HttpFailure(curl_strerror($failed) ?? 'no answer', $failed === CURLE_OPERATION_TIMEDOUT);
        }
        return [(int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE), (string) $answer, $answered];
    }
}
