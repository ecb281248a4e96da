<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

use ClipKit\Host\{ClipHost, Problem, Request, Service};

/** The host of the elements, with WordPress's users. */
final class Host
{
    public static function make(string $basePath): ClipHost
    {
        if (!Settings::hasTables()) self::createTables();
        $user = 0;
        return new ClipHost(
            service: self::service(),
            store: new WpdbStore(),
            authenticate: function (Request $request) use (&$user): ?string {
                $user = self::userOf($request);
                return $user ? (string) apply_filters('clip_kit_user', (string) $user) : null;
            },
            basePath: $basePath,
            origin: self::originOf(home_url()),
            authorize: function (string $account, string $action, ?string $project, ?string $folder) use (&$user): bool {
                // What costs the site something, or is gone for good.
                $isOpen = !in_array($action, ['export', 'upload', 'task', 'delete'], true);
                $may = $isOpen || user_can($user, Settings::exportCapability());
                return apply_filters('clip_kit_authorize', $may, $user, $action, $project, $folder) === true;
            },
            exportOptions: function (array $asked) use (&$user): array {
                return (array) apply_filters('clip_kit_export_options', $asked, $user);
            },
            tokenPermissions: apply_filters('clip_kit_token_permissions', null, get_current_user_id()),
        );
    }

    public static function service(): Service
    {
        return new Service(Settings::serviceUrl(), Settings::secret('api_key'), new WpHttp());
    }

    public static function createTables(): void
    {
        (new WpdbStore())->createTables();
        Settings::noteTables();
    }

    /** WordPress may give the number of a deleted user to somebody else. */
    public static function forgetUser(int $user): void
    {
        if (!Settings::hasTables()) return;
        $store = new WpdbStore();
        $name = (string) apply_filters('clip_kit_user', (string) $user);
        $managed = $name === (string) $user ? $store->managedUser($name) : null;
        if ($managed !== null) $store->dropManagedUser($name, $managed);
    }

    public static function originOf(string $url): string
    {
        $parts = wp_parse_url($url);
        if (!isset($parts['scheme'], $parts['host'])) return '';
        return "{$parts['scheme']}://{$parts['host']}" . (isset($parts['port']) ? ":{$parts['port']}" : '');
    }

    /**
     * The logged-in user. WordPress forgets the log-in of a REST request without a nonce. That is
     * right for a POST. A GET changes nothing, and a link to a download cannot send a nonce.
     */
    private static function userOf(Request $request): int
    {
        $known = get_current_user_id();
        if ($known) return $known;
        $fromCookie = (int) wp_validate_auth_cookie('', 'logged_in');
        if (!$fromCookie || in_array($request->method, ['GET', 'HEAD'], true)) return $fromCookie;
        throw new Problem('rest_cookie_invalid_nonce');
    }
}
