<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

use ClipKit\Host\{Http, HttpFailure};

/** Calls the service with WordPress's own HTTP functions: its proxy settings and certificates. */
final class WpHttp implements Http
{
    public function send(string $method, string $url, array $headers, ?string $body): array
    {
        $answer = wp_remote_request($url, [
            'method' => $method,
            'headers' => $headers,
            'body' => $body,
            'timeout' => 30,
            'redirection' => 0,
        ]);
        if (is_wp_error($answer)) {
            $message = $answer->get_error_message();
            throw new HttpFailure($message, str_contains($message, 'timed out') || str_contains($message, 'cURL error 28'));
        }
        $answered = array_filter(array_change_key_case(wp_remote_retrieve_headers($answer)->getAll()), 'is_string');
        return [(int) wp_remote_retrieve_response_code($answer), wp_remote_retrieve_body($answer), $answered];
    }
}
