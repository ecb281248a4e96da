<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/** What the settings page stores. */
final class Settings
{
    private const OPTION = 'clip_kit_settings';

    /** Who may export and make clips: capabilities from everyone who is logged in to administrators. */
    public const CAPABILITIES = ['read', 'edit_posts', 'publish_posts', 'edit_others_posts', 'manage_options'];

    /** The secret of the host, which is entered once and never shown again. */
    public const SECRET = 'clip_kit_host_secret';
    /** It belongs into wp-config.php. */
    public const SECRET_CONSTANT = 'CLIP_KIT_HOST_SECRET';

    public static function secret(): string
    {
        return (string) (defined(self::SECRET_CONSTANT) ? constant(self::SECRET_CONSTANT) : get_option(self::SECRET, ''));
    }

    public static function hasHost(): bool
    {
        return self::text('host_url') !== '' && self::secret() !== '';
    }

    /** Where the players are: as set, or at the origin of the host, which is usually that of the service. */
    public static function playerUrl(): string
    {
        return self::text('player_url') ?: self::hostOrigin();
    }

    /** Where the posters are, with `{project}` in it: as set, or at the service's own players. */
    public static function posterUrl(): string
    {
        $own = self::playerUrl() === self::hostOrigin() && self::hostOrigin() !== '';
        return self::text('poster_url') ?: ($own ? self::hostOrigin() . '/player/{project}/poster.jpg' : '');
    }

    public static function appUrl(): string
    {
        return self::text('app_url') ?: self::hostOrigin();
    }

    public static function hostOrigin(): string
    {
        return self::originOf(self::text('host_url'));
    }

    public static function originOf(string $url): string
    {
        $parts = wp_parse_url($url);
        if (!isset($parts['scheme'], $parts['host'])) return '';
        return "{$parts['scheme']}://{$parts['host']}" . (isset($parts['port']) ? ":{$parts['port']}" : '');
    }

    public static function exportCapability(): string
    {
        $found = self::text('export_capability');
        return in_array($found, self::CAPABILITIES, true) ? $found : 'publish_posts';
    }

    /** As stored, for the settings page. */
    public static function text(string $name): string
    {
        $stored = get_option(self::OPTION, []);
        return is_array($stored) && is_string($stored[$name] ?? null) ? $stored[$name] : '';
    }

    /** @param array<string, string> $values */
    public static function save(array $values): void
    {
        update_option(self::OPTION, $values);
    }

    /** Not loaded with every page. An empty one is removed. */
    public static function saveSecret(#[\SensitiveParameter] string $secret): void
    {
        if ($secret === '') delete_option(self::SECRET);
        else update_option(self::SECRET, $secret, false);
    }

    public static function remove(): void
    {
        global $wpdb;
        array_map('delete_option', [self::OPTION, self::SECRET]);
        // Notices of the settings page to somebody who never came back to it.
        $notices = $wpdb->esc_like('clip_kit_notice_') . '%';
        $wpdb->query($wpdb->prepare("DELETE FROM $wpdb->options WHERE option_name LIKE %s OR option_name LIKE %s",
            $wpdb->esc_like('_transient_') . $notices, $wpdb->esc_like('_transient_timeout_') . $notices));
    }
}
