<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

use ClipKit\Host\{Problem, Request, Response};

/** The host's calls in the REST API, below `/wp-json/clip-kit/v1/`. */
final class Rest
{
    private const SPACE = 'clip-kit/v1';

    private static ?Response $answer = null;

    public static function register(): void
    {
        add_action('rest_api_init', [self::class, 'addRoute']);
        add_filter('rest_request_before_callbacks', [self::class, 'keepBody'], 10, 3);
        // After WordPress's own, which allows every origin to read the answers.
        add_filter('rest_pre_serve_request', [self::class, 'serve'], 20, 3);
    }

    /** Its path; null with plain permalinks, where the REST API has no path of its own. */
    public static function basePath(): ?string
    {
        $url = wp_parse_url(rest_url(self::SPACE));
        return isset($url['query']) ? null : $url['path'];
    }

    public static function addRoute(): void
    {
        register_rest_route(self::SPACE, '/(?P<call>.+)', [
            'methods' => 'GET, POST, PUT, PATCH, DELETE',
            'callback' => [self::class, 'answer'],
            'permission_callback' => [self::class, 'isLoggedIn'],
        ]);
    }

    /**
     * Whether the browser is logged in. The host checks nonce, origin and capability itself, as
     * WordPress counts a request without a nonce as nobody's.
     */
    public static function isLoggedIn(): bool
    {
        return (bool) wp_validate_auth_cookie('', 'logged_in');
    }

    /**
     * Lets the host itself refuse a body that is not JSON.
     *
     * @param mixed $response an error of WordPress, or null
     */
    public static function keepBody($response, array $handler, \WP_REST_Request $request): mixed
    {
        return self::isOurs($request) ? null : $response;
    }

    public static function answer(): \WP_REST_Response
    {
        $basePath = self::basePath();
        if ($basePath === null || !Settings::isComplete()) {
            self::$answer = (new Problem('service-unavailable'))->toResponse();
        } else {
            // WordPress puts slashes before quotes in what PHP gives.
            self::$answer = Host::make($basePath)->handle(Request::fromGlobals(wp_unslash($_SERVER)));
        }
        return new \WP_REST_Response(null, self::$answer->status);
    }

    /** @param mixed $served */
    public static function serve($served, \WP_HTTP_Response $result, \WP_REST_Request $request): mixed
    {
        if (!self::isOurs($request)) return $served;
        foreach (['Origin', 'Methods', 'Credentials', 'Headers'] as $name) header_remove("Access-Control-Allow-$name");
        header_remove('Access-Control-Expose-Headers');
        header_remove('X-WP-Nonce');
        $refused = $result->get_status() >= 400 ? self::problemOf($result) : null;
        $answer = self::$answer ?? $refused?->toResponse();
        if (!$answer) return $served;
        // WordPress would replace the host's own `Cache-Control`.
        add_filter('rest_send_nocache_headers', '__return_false', 20);
        // PHP's own function does not change a status line that WordPress has set.
        status_header($answer->status);
        $answer->send($request->get_method());
        return true;
    }

    private static function isOurs(\WP_REST_Request $request): bool
    {
        return str_starts_with($request->get_route(), '/' . self::SPACE . '/');
    }

    /** A refusal of WordPress or another plugin, before the host was asked. */
    private static function problemOf(\WP_HTTP_Response $result): Problem
    {
        $data = $result->get_data();
        if (is_array($data) && ($data['code'] ?? null) === 'rest_cookie_invalid_nonce') {
            return new Problem(self::isLoggedIn() ? 'rest_cookie_invalid_nonce' : 'unauthenticated');
        }
        return new Problem(match ($result->get_status()) {
            401 => 'unauthenticated',
            403 => 'forbidden',
            404 => 'not-found',
            405 => 'method-not-allowed',
            429 => 'rate-limited',
            default => 'internal-error',
        });
    }
}
