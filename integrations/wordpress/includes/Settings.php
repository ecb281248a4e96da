<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/** What the settings page stores. */
final class Settings
{
    private const OPTION = 'clip_kit_settings';
    private const KEY = 'clip_kit_api_key';
    private const TABLES = 'clip_kit_tables';

    /** Who may export and make clips: capabilities from everyone who is logged in to administrators. */
    public const CAPABILITIES = ['read', 'edit_posts', 'publish_posts', 'edit_others_posts', 'manage_options'];

    /** With `/v2`, without a final slash. */
    public static function serviceUrl(): string
    {
        return self::text('service_url');
    }

    public static function apiKey(): string
    {
        return self::isKeyConstant() ? (string) constant('CLIP_KIT_API_KEY') : (string) get_option(self::KEY, '');
    }

    /** Whether the key is in wp-config.php, where it belongs. */
    public static function isKeyConstant(): bool
    {
        return defined('CLIP_KIT_API_KEY');
    }

    public static function isComplete(): bool
    {
        return self::serviceUrl() !== '' && self::apiKey() !== '';
    }

    /** Where the players are: as set, or the service's own origin. */
    public static function playerUrl(): string
    {
        return self::text('player_url') ?: self::serviceOrigin();
    }

    /** Where the posters are, with `{project}` in it: as set, or at the service's own players. */
    public static function posterUrl(): string
    {
        $own = self::playerUrl() === self::serviceOrigin() && self::serviceOrigin() !== '';
        return self::text('poster_url') ?: ($own ? self::serviceOrigin() . '/player/{project}/poster.jpg' : '');
    }

    public static function appUrl(): string
    {
        return self::text('app_url') ?: self::serviceOrigin();
    }

    public static function serviceOrigin(): string
    {
        return Host::originOf(self::serviceUrl());
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

    /** Not loaded with every page. An empty key removes it. */
    public static function saveKey(#[\SensitiveParameter] string $key): void
    {
        if ($key === '') delete_option(self::KEY);
        else update_option(self::KEY, $key, false);
    }

    public static function hasTables(): bool
    {
        return get_option(self::TABLES) === '2';
    }

    public static function noteTables(): void
    {
        update_option(self::TABLES, '2');
    }

    public static function remove(): void
    {
        global $wpdb;
        array_map('delete_option', [self::OPTION, self::KEY, self::TABLES]);
        // Notices of the settings page to somebody who never came back to it.
        $notices = $wpdb->esc_like('clip_kit_notice_') . '%';
        $wpdb->query($wpdb->prepare("DELETE FROM $wpdb->options WHERE option_name LIKE %s OR option_name LIKE %s",
            $wpdb->esc_like('_transient_') . $notices, $wpdb->esc_like('_transient_timeout_') . $notices));
    }
}
