<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/**
 * What the clip host is told about the logged-in user: a session, which is a text that is signed
 * with the secret of the host (a JWT), and good for 15 minutes.
 */
final class Session
{
    private const ACTION = 'clip_kit_session';
    private const SECONDS = 900;

    public static function register(): void
    {
        // WordPress itself looks at the cookie, and runs the second one for visitors.
        add_action('wp_ajax_' . self::ACTION, [self::class, 'answer']);
        add_action('wp_ajax_nopriv_' . self::ACTION, [self::class, 'refuse']);
    }

    /** Where the elements fetch it. */
    public static function path(): string
    {
        return wp_parse_url(admin_url('admin-ajax.php'), PHP_URL_PATH) . '?action=' . self::ACTION;
    }

    public static function answer(): void
    {
        if (Settings::hasHost()) self::send(['session' => self::of(wp_get_current_user())]);
        self::refuse();
    }

    public static function refuse(): void
    {
        self::send((object) [], 401);
    }

    private static function send(array|object $body, int $status = 200): never
    {
        // WordPress sends its own headers last, which older versions of it let a cache keep.
        add_filter('nocache_headers', fn (array $headers): array => ['Cache-Control' => 'no-store'] + $headers);
        wp_send_json($body, $status);
        exit;
    }

    /** A session of this user: with every permission, or only to watch. */
    public static function of(\WP_User $user): string
    {
        $now = time();
        $claims = ['aud' => 'clip-host', 'exp' => $now + self::SECONDS, 'iat' => $now, 'sub' => self::nameOf($user)];
        if (!user_can($user, Settings::exportCapability())) $claims['permissions'] = ['view'];
        $claims = apply_filters('clip_kit_session_claims', $claims, $user->ID);
        $part = fn (string $bytes): string => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
        $text = $part('{"alg":"HS256","typ":"JWT"}') . '.' . $part((string) wp_json_encode($claims));
        return "$text." . $part(hash_hmac('sha256', $text, Settings::secret(), true));
    }

    /**
     * The user's name at the host. WordPress may give the number of a deleted user to another one,
     * who must not get the clips: so the time of the registration is a part of it.
     */
    private static function nameOf(\WP_User $user): string
    {
        $name = (string) apply_filters('clip_kit_user', (string) $user->ID);
        return $name === (string) $user->ID ? "$name-" . strtotime("$user->user_registered UTC") : $name;
    }

    /**
     * Whether the host accepts the sessions of this site and its pages, and its service the host: a
     * kind of notice, and a sentence.
     *
     * @return array{0: string, 1: string}
     */
    public static function test(): array
    {
        if (!Settings::hasHost()) return ['error', __('Enter the address of the host and its secret.', 'clip-kit')];
        $origin = Settings::originOf(home_url());
        $answer = wp_remote_get(Settings::text('host_url') . '/exports?project_id=test', [
            'headers' => ['Accept' => 'application/json', 'Authorization' => 'Bearer ' . self::of(wp_get_current_user()), 'Origin' => $origin],
            'redirection' => 0,
            'timeout' => 30,
        ]);
        if (is_wp_error($answer)) {
            // translators: %s: a technical reason, such as "Connection refused"
            return ['error', sprintf(__('The host cannot be reached from this server: %s', 'clip-kit'), $answer->get_error_message())];
        }
        $status = (int) wp_remote_retrieve_response_code($answer);
        $body = json_decode(wp_remote_retrieve_body($answer), true);
        $code = is_array($body) ? $body['code'] ?? null : null;
        $detail = is_array($body) ? (string) ($body['detail'] ?? $body['title'] ?? '') : '';
        return match (true) {
            $status === 401 && is_string($code) => ['error', sprintf(
                // translators: %s: what is wrong, in English, such as "The signature of the session does not fit."
                __('The host does not accept the sessions of this site: %s', 'clip-kit'), $detail)],
            $status === 403 && is_string($code) => ['error', sprintf(
                // translators: %s: the origin of this site, such as https://www.example.com
                __('The host does not let the pages of this site in. Add %s to its origins (HOST_ORIGINS).', 'clip-kit'), $origin)],
            str_starts_with((string) $code, 'service-') => ['error', sprintf(
                // translators: %s: what is wrong, in English, such as "The service rejected the API key of this host."
                __('The host accepts this site, but cannot use its clip service: %s', 'clip-kit'), $detail)],
            $status >= 500 && is_string($code) => ['error', sprintf(
                // translators: %d: an HTTP status
                __('The host has a problem: it answered with the status %d.', 'clip-kit'), $status)],
            $status !== 200 || wp_remote_retrieve_header($answer, 'clip-account') === '' => ['error', __('There is a server at this address, but no clip host. The address usually ends with /host.', 'clip-kit')],
            default => ['success', __('It works: the host accepts the sessions of this site.', 'clip-kit')],
        };
    }
}
